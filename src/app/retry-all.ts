import type { Clock } from '../clock.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import { ShipbellError } from '../errors.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { DeliveryState } from '../model/delivery.ts'
import type { Subscription } from '../model/subscription.ts'
import { draftsOf, notDeliveredSince } from './backfill.ts'
import type { DeskStore, RetryChoice } from '../serve/admin-context.ts'
import type { RetryableSlice } from '../store/log-query-port.ts'
import type { Store } from '../store/ports.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { retryRows } from './retry-choice.ts'

const NOT_DELIVERED = ['pending', 'exhausted', 'held', 'discarded'] as const satisfies readonly DeliveryState[]
const PAGE = 200
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
    if (!choice.missing) return (await this.#ids(choice)).length
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

  async #retry(choice: RetryChoice, signal: AbortSignal, onProgress: (done: number) => void): Promise<number> {
    const { clock, store } = this.#parts
    const ids = await this.#ids(choice)
    let taken = 0
    for (let from = 0; from < ids.length && !signal.aborted; from += PAGE) {
      if (from > 0) await clock.sleep(PAUSE_MS, signal)
      const slice = ids.slice(from, from + PAGE)
      await retryRows(store, slice, { at: clock.now(), delivered: false, pause: async () => undefined })
      taken += slice.length
      onProgress(taken)
    }
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

  /** Oldest event first; tests, and what has expired, left out. */
  async #ids(choice: RetryChoice): Promise<readonly string[]> {
    const states = NOT_DELIVERED.filter((state) => choice.only?.states?.includes(state) ?? true)
    const rows: RetryableSlice['rows'][number][] = []
    for (const state of states) rows.push(...(await this.#rowsIn(state, choice)))
    return rows.toSorted((one, other) => one.place - other.place).map(({ id }) => id)
  }

  /** In slices between which others have their turn. */
  async #rowsIn(state: DeliveryState, { only, since, subscription }: RetryChoice): Promise<RetryableSlice['rows']> {
    const { store } = this.#parts
    const { account, cause } = only ?? {}
    const filter = { ...(account !== undefined && { account }), ...(cause !== undefined && { cause }) }
    const rows: RetryableSlice['rows'][number][] = []
    let after: number | null = null
    do {
      const slice: RetryableSlice = await store.retryable({ ...filter, subscription, state, since, after })
      for (const row of slice.rows) rows.push(row)
      after = slice.after
      if (after !== null) await this.#letOthers()
    } while (after !== null)
    return rows
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
