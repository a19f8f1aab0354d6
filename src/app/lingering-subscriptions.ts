import type { Clock } from '../clock.ts'
import type { Subscription } from '../model/subscription.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

/** How long a subscription that is missing from the file goes on getting rows, which are held. */
const LINGER_MS = 600_000

/**
 * Subscriptions that a reload left out. Whoever writes a file in pieces, or moves customers from one file to another, leaves some out for
 * a moment: what rings meanwhile is held for them, and is sent once they are back. After ten minutes, or a `discard`, they get nothing.
 */
export class LingeringSubscriptions {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #until = new Map<string, { readonly subscription: Subscription; readonly at: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Another configuration is in force. */
  follow(before: readonly Subscription[], after: readonly Subscription[]): void {
    const names = new Set(after.map(({ name }) => name))
    for (const name of names) this.#until.delete(name)
    const at = this.#clock.monotonic() + LINGER_MS
    for (const subscription of before)
      if (!names.has(subscription.name)) this.#until.set(subscription.name, { subscription, at })
  }

  /** Whoever gets rows: the subscriptions of the configuration, and those that linger. */
  with(configured: readonly Subscription[]): readonly Subscription[] {
    if (this.#until.size === 0) return configured
    const now = this.#clock.monotonic()
    for (const [name, { at }] of this.#until) if (at <= now) this.#until.delete(name)
    return [...configured, ...[...this.#until.values()].map(({ subscription }) => subscription)]
  }

  /** Subscriptions that were discarded meanwhile, by whichever process, linger no more. Throws `store_unusable`. */
  async look(store: Pick<QueryStore, 'endpoints'>): Promise<void> {
    if (this.#until.size === 0) return
    for (const { configured, enabled, subscription } of await store.endpoints())
      if (!configured && !enabled) this.#until.delete(subscription)
  }
}
