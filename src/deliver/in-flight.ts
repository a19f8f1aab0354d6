import type { Subscription } from '../model/subscription.ts'
import type { Batch } from './batches.ts'

interface Place {
  readonly subscription: string
  /** Deliveries of its batch that are not settled yet. */
  left: number
}

/**
 * Which deliveries are in hand: claimed and not yet settled. Each batch takes one of its subscription's places, so an
 * endpoint that is slow, or a store that does not take outcomes, fills only its own.
 */
export class InFlight {
  readonly #placeOf = new Map<string, Place>()
  readonly #taken = new Map<string, number>()

  /** Whether a delivery is in hand: claimed again, because its claim ran out while its attempt goes on. */
  holds(deliveryId: string): boolean {
    return this.#placeOf.has(deliveryId)
  }

  /** False where one of the deliveries is already in hand: its claim ran out and was handed out again. */
  take(batch: Batch): boolean {
    if (batch.some(({ id }) => this.#placeOf.has(id))) return false
    const place = { subscription: batch[0].subscription, left: batch.length }
    for (const { id } of batch) this.#placeOf.set(id, place)
    this.#taken.set(place.subscription, this.taken(place.subscription) + 1)
    return true
  }

  /** How many places of a subscription are taken. */
  taken(subscription: string): number {
    return this.#taken.get(subscription) ?? 0
  }

  free(deliveryId: string): void {
    const place = this.#placeOf.get(deliveryId)
    if (place === undefined) return
    this.#placeOf.delete(deliveryId)
    place.left -= 1
    if (place.left > 0) return
    const rest = this.taken(place.subscription) - 1
    if (rest > 0) this.#taken.set(place.subscription, rest)
    else this.#taken.delete(place.subscription)
  }

  /** Free places of each subscription that has any: a disabled one has nothing to send but tests. */
  open(subscriptions: readonly Subscription[]): ReadonlyMap<string, number> {
    const places = subscriptions.map(({ name, channel }): [string, number] => [
      name,
      channel.concurrency - this.taken(name),
    ])
    return new Map(places.filter(([, free]) => free > 0))
  }
}
