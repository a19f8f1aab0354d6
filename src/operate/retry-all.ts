import type { Clock } from '../clock.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import { ShipbellError } from '../errors.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { DeliveryState } from '../model/delivery.ts'
import type { Subscription } from '../model/subscription.ts'
import { draftsOf, notDeliveredSince } from './backfill.ts'
import type { DeskStore, RetryChoice } from '../serve/admin-context.ts'
import type { CountedPlace, RetryableCount, RetryableSlice } from '../store/ports/log-query-port.ts'
import type { Store } from '../store/ports/store.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { retryRows } from './retry-choice.ts'

const NOT_DELIVERED = ['pending', 'exhausted', 'held', 'discarded'] as const satisfies readonly DeliveryState[]
const SHORTEST_PAUSE_MS = 1

export interface RetryAllParts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: DeskStore & Store
}

/** Whatever a subscription was not delivered since an instant, in bounded reads and writes with pauses between them. */
export class RetryAll {
  readonly #parts: RetryAllParts

  constructor(parts: RetryAllParts) {
    this.#parts = parts
  }

  /** Throws `not_found` where there is no such subscription. */
  async count(choice: RetryChoice): Promise<number> {
    await requireEndpoint(this.#parts.store, choice.subscription)
    if (!choice.missing) return await this.#countRows(choice)
    let amount = 0
    for await (const { events } of notDeliveredSince(this.#parts.store, this.#subscription(choice), choice.since)) {
      amount += events.length
      await this.#letOthers()
    }
    return amount
  }

  /** Resolves to how many were taken; cut short, those until then. */
  async retry(
    choice: RetryChoice,
    {
      signal,
      onProgress = () => undefined,
    }: { readonly signal: AbortSignal; readonly onProgress?: (done: number) => void },
  ): Promise<number> {
    return choice.missing ? await this.#make(choice, signal, onProgress) : await this.#retry(choice, signal, onProgress)
  }

  /** Rows of events that ring while it goes on are none of them: it comes to an end. */
  async #retry(choice: RetryChoice, signal: AbortSignal, onProgress: (done: number) => void): Promise<number> {
    const { clock, store } = this.#parts
    const { lastPlace: upTo } = await store.logEnds()
    let taken = 0
    let after: number | null = null
    do {
      const slice: RetryableSlice = await store.retryable({ ...filterOf(choice), after, upTo })
      after = slice.after
      if (slice.ids.length > 0) {
        await retryRows(store, slice.ids, { at: clock.now(), delivered: false, pause: async () => undefined })
        taken += slice.ids.length
        onProgress(taken)
      }
      if (after !== null) await clock.sleep(slice.ids.length > 0 ? PAUSE_MS : SHORTEST_PAUSE_MS, signal)
    } while (after !== null && !signal.aborted)
    return taken
  }

  async #make(choice: RetryChoice, signal: AbortSignal, onProgress: (done: number) => void): Promise<number> {
    const { clock, store } = this.#parts
    const subscription = this.#subscription(choice)
    let taken = 0
    for await (const { events, dates } of notDeliveredSince(store, subscription, choice.since)) {
      if (signal.aborted) break
      await store.backfill({ deliveries: draftsOf(events, subscription), dates, at: clock.now() })
      taken += events.length
      onProgress(taken)
      await clock.sleep(PAUSE_MS, signal)
    }
    return taken
  }

  /** Counts rows in slices between which others have their turn. */
  async #countRows(choice: RetryChoice): Promise<number> {
    let amount = 0
    let after: CountedPlace | null = null
    do {
      const slice: RetryableCount = await this.#parts.store.countRetryable({ ...filterOf(choice), after })
      amount += slice.amount
      after = slice.after
      if (after !== null) await this.#letOthers()
    } while (after !== null)
    return amount
  }

  /** The store answers at once: without a pause a ledger is gone through while nothing else is done. */
  async #letOthers(): Promise<void> {
    await this.#parts.clock.sleep(SHORTEST_PAUSE_MS)
  }

  #subscription({ subscription: name }: RetryChoice): Subscription {
    const subscription = this.#parts.live.config.subscriptions.find((each) => each.name === name)
    if (subscription !== undefined) return subscription
    throw new ShipbellError('wrong_state', `${name} is not in the configuration: what it would match is not known.`)
  }
}

function filterOf({ only, since, subscription }: RetryChoice) {
  const { account, cause } = only ?? {}
  const states = NOT_DELIVERED.filter((state) => only?.states?.includes(state) ?? true)
  return {
    subscription,
    since,
    states,
    ...(account !== undefined && { account }),
    ...(cause !== undefined && { cause }),
  }
}
