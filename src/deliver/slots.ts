import type { Subscription } from '../model/subscription.ts'

/**
 * Which deliveries are in hand: claimed and not yet settled. Each takes one of its subscription's places, so an endpoint
 * that is slow, or a store that does not take outcomes, fills only its own.
 */
export class Slots {
  readonly #subscriptionOf = new Map<string, string>()
  readonly #taken = new Map<string, number>()

  /** False where the delivery is already in hand: its claim ran out and was handed out again. */
  take(deliveryId: string, subscription: string): boolean {
    if (this.#subscriptionOf.has(deliveryId)) return false
    this.#subscriptionOf.set(deliveryId, subscription)
    this.#taken.set(subscription, (this.#taken.get(subscription) ?? 0) + 1)
    return true
  }

  free(deliveryId: string): void {
    const subscription = this.#subscriptionOf.get(deliveryId)
    if (subscription === undefined) return
    this.#subscriptionOf.delete(deliveryId)
    const rest = (this.#taken.get(subscription) ?? 0) - 1
    if (rest > 0) this.#taken.set(subscription, rest)
    else this.#taken.delete(subscription)
  }

  /** Free places of each subscription that has any: a disabled one has nothing to send but tests. */
  open(subscriptions: readonly Subscription[]): ReadonlyMap<string, number> {
    const places = subscriptions.map(({ name, channel }): [string, number] => [
      name,
      channel.concurrency - (this.#taken.get(name) ?? 0),
    ])
    return new Map(places.filter(([, free]) => free > 0))
  }
}
