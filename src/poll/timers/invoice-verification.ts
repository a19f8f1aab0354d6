import { confirms } from '../../detect/calendar/invoice-calendar.ts'
import { isFresh, type RecordState } from '../../model/record-state.ts'
import type { Exchange } from '../../model/exchange.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ProvenancePass, Provenance } from '../../model/provenance.ts'
import { delay } from '../../plan/backoff.ts'
import { ItemQuarantine, noteAnswer } from '../ingest/quarantine.ts'
import { readOf, provenancePass } from '../ingest/record-facts.ts'
import type { PollContext } from '../poll-context.ts'

const RETRY_FIRST_MS = 5_000
const RETRY_MOST_MS = 5 * 60_000
/** The longest wait for an invoice whose fetches fail. */
const FAILING_MOST_MS = 60 * 60_000
/** After so many fetches in a row without an answer the rest of a round waits. */
const MOST_FAILURES = 3

/**
 * A fetch may be ahead of the list, or behind it. If they disagree for a day, the list decides, so that nothing keeps an invoice
 * silent for ever.
 */
const LIST_DECIDES_AFTER_MS = 86_400_000
const CONTRADICTED =
  'For a day fetches by its id contradicted what the list shows of it: the list was believed about its dates.'

const OLD_COPY = 'a cache answered with a copy from before its list was read'

export interface Verification {
  /** Whether an invoice as it is known by now is the one that was verified. */
  readonly confirms: (known: RecordState) => boolean
  /** The fetch by its id that was asked now; null: a pass verified it. */
  readonly answer: Exchange | null
  /** What verified the invoice. */
  readonly by: Pick<Provenance, 'exchanges' | 'pass' | 'overruled'>
}

/** An invoice that nothing has verified yet. */
interface Doubt {
  readonly count: number
  readonly retryAt: number
  /** When the first fetch by id contradicted the list; null: none did since the last 404. */
  readonly contradictedSince: number | null
  /**
   * The first fetch by id that answered 404, with a credit note, or with a copy from before the list was read; null: none since
   * one that worked.
   */
  readonly notFound: Exchange | null
  /** When the doubt was last looked at. */
  readonly lookedAt: number
  readonly waitMs: number
}

/**
 * Has an invoice verified before the calendar rings for it (guarantee D10): by a fetch by its id; after a 404, or a copy older
 * than the list's, by a complete pass that met it since. If fetches contradict the list for a day, such a pass overrules them. A
 * fetch that failed says nothing. Doubts live in this process only: the next one asks anew.
 */
export class InvoiceVerifier {
  readonly #context: PollContext
  readonly #quarantine: ItemQuarantine
  readonly #doubts = new Map<string, Doubt>()
  /** When the last complete pass over the invoices ended. */
  #passedAt: number | null = null
  /** The pass that was complete last; null where another has begun since. */
  #lastPass: ProvenancePass | null = null
  /** Fetches of this round that failed, in a row. */
  #failures = 0

  constructor(context: PollContext) {
    this.#context = context
    this.#quarantine = new ItemQuarantine({ ...context, watch: 'invoices' })
  }

  /** The soonest that an invoice in doubt is asked for again; null where none is. */
  get nextRetryAt(): number | null {
    const times = [...this.#doubts.values()].map(({ retryAt }) => retryAt)
    return times.length === 0 ? null : times.reduce((first, at) => Math.min(first, at))
  }

  /** Forgets doubts about all but these invoices. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#doubts.keys()) if (!ids.has(id)) this.#doubts.delete(id)
  }

  /** How many invoices are in doubt. */
  get waiting(): number {
    return this.#doubts.size
  }

  /** Takes note of the passes that ended since. */
  async notePasses(): Promise<void> {
    const { account, committer } = this.#context
    const list = await committer.store.listState(account.name, 'invoice')
    this.#passedAt = list.completedAt
    const isOver = list.completedAt !== null && list.completedAt >= (list.passStartedAt ?? 0)
    this.#lastPass = isOver ? provenancePass(list) : null
  }

  /** Whether it is time to look at an invoice: its wait is over, or a pass has ended that may be the answer. */
  isReady(id: string): boolean {
    const doubt = this.#doubts.get(id)
    if (doubt === undefined || this.#isWaitOver(doubt)) return true
    return this.#passedAt !== null && this.#passedAt >= doubt.lookedAt
  }

  /** Rings for what the fetches of a round left over. */
  async endRound(): Promise<void> {
    this.#failures = 0
    await this.#quarantine.endBatch()
  }

  /** What verified an invoice; null: neither a fetch nor a pass has yet. */
  async verify(state: RecordState, signal: AbortSignal): Promise<Verification | null> {
    const { id } = state
    const doubt = this.#doubts.get(id)
    if (doubt !== undefined) {
      if (this.#metSince(doubt.notFound?.answeredAt ?? null, state)) return this.#byPass(state, doubt)
      if (!this.#mayAsk(doubt)) return this.#wait(id, doubt)
    }
    if (this.#failures >= MOST_FAILURES) return this.#failed(id, 'the platform did not answer for others')
    const { accountClient, platform } = this.#context
    const request = { signal, of: 'item', priority: 'verification' } as const
    const fetched = async () => platform.item('invoice', idAtPlatform('invoice', id), signal)
    const answer = await accountClient.ask(fetched, request)
    const notFound = doubt?.notFound ?? null
    if (answer.kind === 'failed') {
      this.#failures += answer.why === 'trouble' ? 1 : 0
      await noteAnswer(this.#quarantine, { resource: 'invoice', id, answer })
      return this.#failed(id, answer.reason)
    }
    this.#failures = 0
    const { value, exchange } = answer
    const isOld = isOlderCopy(exchange, state)
    const saysNothing = isOld ? OLD_COPY : whyNotThisOne(value, state)
    if (value === null || saysNothing !== null) {
      const isFirst = notFound === null || exchange.answeredAt < notFound.answeredAt
      const reason = saysNothing ?? 'the platform answered 404'
      return this.#doubt(id, { reason, notFound: isFirst ? exchange : notFound, contradictedSince: null })
    }
    if (!confirms(value, state)) return this.#contradict(state, exchange)
    this.#doubts.delete(id)
    await noteAnswer(this.#quarantine, { resource: 'invoice', id, answer })
    return { confirms: (known) => confirms(value, known), answer: exchange, by: { exchanges: [exchange] } }
  }

  /** A fetch that failed says nothing. One that always fails is asked for less and less often. */
  #failed(id: string, reason: string): null {
    const { contradictedSince = null, notFound = null } = this.#doubts.get(id) ?? {}
    return this.#doubt(id, { reason, notFound, contradictedSince, mostMs: FAILING_MOST_MS })
  }

  #byPass({ id, seen }: RecordState, { notFound }: Doubt): Verification {
    this.#doubts.delete(id)
    const exchanges = notFound === null ? [] : [notFound]
    const pass = this.#lastPass
    const by = pass === null ? { exchanges } : { exchanges, pass }
    return { confirms: (now) => seen !== null && confirms(seen, now), answer: null, by }
  }

  /** The fetch contradicts the list. The list decides once that has lasted for a day. */
  async #contradict(state: RecordState, exchange: Exchange): Promise<Verification | null> {
    const { answeredAt } = exchange
    // If the first contradiction lies ahead of now, the clock was set back: the day begins anew.
    const since = Math.min(this.#doubts.get(state.id)?.contradictedSince ?? answeredAt, answeredAt)
    const decidesAt = since + LIST_DECIDES_AFTER_MS
    if (answeredAt >= decidesAt && this.#metSince(decidesAt, state)) return this.#overrule(state, exchange)
    const reason = 'its list does not show yet what it is by now'
    return this.#doubt(state.id, { reason, notFound: null, contradictedSince: since })
  }

  /** Reported once, until a fetch confirms the list again. */
  async #overrule({ id, seen }: RecordState, exchange: Exchange): Promise<Verification> {
    this.#doubts.delete(id)
    const by = { exchanges: [exchange], overruled: true, ...(this.#lastPass === null ? {} : { pass: this.#lastPass }) }
    const rejected = [{ id, reason: CONTRADICTED }]
    const provenance = { by: 'item', resource: 'invoice', exchanges: [exchange] } as const
    await this.#quarantine.note({ sound: [], rejected, provenance })
    return { confirms: (now) => seen !== null && confirms(seen, now), answer: exchange, by }
  }

  /** Looked at, and not asked for yet. */
  #wait(id: string, doubt: Doubt): null {
    if (this.#isWaitOver(doubt)) return this.#doubt(id, { ...doubt, reason: 'no pass has met it yet' })
    this.#doubts.set(id, { ...doubt, lookedAt: this.#context.clock.now() })
    return null
  }

  /** Whether a pass that met the invoice after `at` is complete. */
  #metSince(at: number | null, { lastRead }: RecordState): boolean {
    return at !== null && lastRead.sentAt >= at && this.#passedSince(at)
  }

  #passedSince(at: number): boolean {
    return this.#passedAt !== null && this.#passedAt >= at
  }

  /** After a 404, or an old copy, the next complete pass is the answer: nothing is asked for before it. */
  #mayAsk(doubt: Doubt): boolean {
    const { notFound } = doubt
    return this.#isWaitOver(doubt) && (notFound === null || this.#passedSince(notFound.answeredAt))
  }

  /** A retry that is further off than any can be was set while the clock was ahead: it is over. */
  #isWaitOver({ retryAt, waitMs }: Doubt): boolean {
    const leftMs = retryAt - this.#context.clock.now()
    return leftMs <= 0 || leftMs > waitMs
  }

  #doubt(
    id: string,
    {
      reason,
      notFound,
      contradictedSince,
      mostMs = RETRY_MOST_MS,
    }: Pick<Doubt, 'notFound' | 'contradictedSince'> & { readonly reason: string; readonly mostMs?: number },
  ): null {
    const { account, clock, log, random } = this.#context
    const known = this.#doubts.get(id)
    const count = (known?.count ?? 0) + 1
    const lookedAt = clock.now()
    const waitMs = delay({ first: RETRY_FIRST_MS, most: mostMs, count, random: random() })
    this.#doubts.set(id, { count, retryAt: lookedAt + waitMs, waitMs, contradictedSince, notFound, lookedAt })
    if (known === undefined) log.info({ account: account.name, invoice: id, reason }, 'calendar.waiting')
    return null
  }
}

/** Why an answer says nothing of an invoice; null: it does. */
function whyNotThisOne(fetched: JsonObject | null, { seen }: RecordState): string | null {
  if (fetched === null || seen === null || invoiceKind(fetched) === invoiceKind(seen)) return null
  return 'a fetch by its reference shows the credit note of that reference'
}

/** Whether an answer is a copy from a cache that knows no more than the list does. */
function isOlderCopy(exchange: Exchange, { lastRead }: RecordState): boolean {
  return exchange.ageMs !== undefined && !isFresh(readOf(exchange), lastRead)
}
