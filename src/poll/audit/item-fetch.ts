import type { Exchange } from '../../model/exchange.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import type { JsonObject } from '../../model/json.ts'
import { watchedAs, type ListedResource } from '../../model/resource.ts'
import type { PollContext } from '../poll-context.ts'

export interface Fetched {
  readonly kind: 'shown'
  readonly value: JsonObject
  readonly exchange: Exchange
}

/** What a fetch came to; `unasked`: the platform asks to be left alone. */
export type FetchedItem = Fetched | { readonly kind: 'gone' | 'failed' | 'unasked' }

/** After so many fetches in a row that showed nothing, a list is left alone for a while. */
const MOST_FAILURES = 3
const REST_FIRST_MS = 3_600_000
const REST_MOST_MS = 24 * REST_FIRST_MS

/**
 * Fetches records of a list by their ids out of the budget that nobody needs. What fails is no failure of the account nor of its list, and
 * no difference: it is the fetch that says nothing. Where fetches by id do not work at all, hardly any is made.
 */
export class ItemFetch {
  readonly #context: Pick<PollContext, 'accountClient' | 'clock' | 'platform'>
  readonly #resource: ListedResource
  #failures = 0
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(context: Pick<PollContext, 'accountClient' | 'clock' | 'platform'>, resource: ListedResource) {
    this.#context = context
    this.#resource = resource
  }

  /** Whether nothing is to be fetched now: fetches came to nothing, or the key is refused the list. */
  get rests(): boolean {
    const { accountClient, clock } = this.#context
    const leftMs = this.#restsUntil - clock.now()
    return (leftMs > 0 && leftMs <= REST_MOST_MS) || accountClient.closedMs(watchedAs(this.#resource)) > 0
  }

  async fetch(id: string, signal: AbortSignal): Promise<FetchedItem> {
    const { accountClient, platform } = this.#context
    const ask = async () => platform.item(this.#resource, idAtPlatform(this.#resource, id), signal)
    const outcome = await accountClient.request(ask, { of: 'item', blame: 'nobody', priority: 'spare', signal })
    if (outcome.kind === 'throttled' || outcome.kind === 'deferred') return { kind: 'unasked' }
    if (outcome.kind === 'ok') {
      this.#failures = 0
      return { kind: 'shown', value: outcome.value, exchange: outcome.exchange }
    }
    this.#failed()
    return { kind: outcome.kind === 'not_found' || outcome.kind === 'empty' ? 'gone' : 'failed' }
  }

  #failed(): void {
    this.#failures += 1
    if (this.#failures < MOST_FAILURES) return
    const restMs = Math.min(REST_FIRST_MS * 2 ** (this.#failures - MOST_FAILURES), REST_MOST_MS)
    this.#restsUntil = this.#context.clock.now() + restMs
  }
}
