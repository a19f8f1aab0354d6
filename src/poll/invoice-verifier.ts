import type { Clock } from '../clock.ts'
import { confirms } from '../detect/calendar/confirms.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Exchange } from '../model/exchange.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import type { SightedPass, Sighting } from '../model/sighting.ts'
import { delay } from '../plan/backoff.ts'
import type { Platform } from '../platform/platform.ts'
import { ask } from './ask.ts'
import type { Committer } from './committer.ts'
import type { Gate } from './gate.ts'
import { sightedPass } from './sighted-pass.ts'

const RETRY_FIRST_MS = 5_000
const RETRY_MOST_MS = 5 * 60_000

export interface InvoiceVerifierOptions {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly gate: Gate
  readonly committer: Committer
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
}

export interface Verification {
  /** Whether an invoice as it is known by now is the one that was verified. */
  readonly confirms: (seen: JsonObject) => boolean
  /** What verified it. */
  readonly by: Pick<Sighting, 'exchanges' | 'pass'>
}

/** An invoice that nothing has verified yet. */
interface Doubt {
  readonly count: number
  readonly retryAt: number
  /** The first fetch by id that answered 404; null: none did since the last one that worked. */
  readonly notFound: Exchange | null
  /** When it was last looked at. */
  readonly lookedAt: number
}

/**
 * Asks the platform about an invoice before the calendar rings for it (contract section 3.10): by its id, or where that
 * answers 404, by a complete pass that met it since. What is in doubt lives in this process only; the next one asks anew.
 */
export class InvoiceVerifier {
  readonly #options: InvoiceVerifierOptions
  readonly #doubts = new Map<string, Doubt>()
  /** When the last complete pass over the invoices ended. */
  #passedAt: number | null = null
  /** That pass; null where another has begun since. */
  #lastPass: SightedPass | null = null

  constructor(options: InvoiceVerifierOptions) {
    this.#options = options
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
    const { account, committer } = this.#options
    const list = await committer.store.listState(account.name, 'invoice')
    this.#passedAt = list.completedAt
    const isOver = list.completedAt !== null && list.completedAt >= (list.passStartedAt ?? 0)
    this.#lastPass = isOver ? sightedPass(list) : null
  }

  /** Whether it is time to look at it: its wait is over, or a pass has ended that may be the answer. */
  isReady(id: string): boolean {
    const doubt = this.#doubts.get(id)
    if (doubt === undefined || this.#isWaitOver(doubt)) return true
    return doubt.notFound !== null && this.#passedAt !== null && this.#passedAt >= doubt.lookedAt
  }

  /** null: neither a fetch nor a pass has verified the invoice yet. */
  async verify(state: RecordState, signal: AbortSignal): Promise<Verification | null> {
    const { id } = state
    const doubt = this.#doubts.get(id)
    if (doubt !== undefined && this.#metSince(doubt, state)) {
      this.#doubts.delete(id)
      return this.#byPass(doubt)
    }
    if (doubt !== undefined && !this.#mayAsk(doubt)) {
      return this.#doubt(id, { reason: 'no pass has met it yet', notFound: doubt.notFound })
    }
    const { gate, platform } = this.#options
    const answer = await ask(async () => platform.item('invoice', id, signal), { gate, signal, of: 'item' })
    const notFound = doubt?.notFound ?? null
    if (answer.kind === 'failed') return this.#doubt(id, { reason: answer.reason, notFound })
    const { value, exchange } = answer
    if (value === null) {
      const isFirst = notFound === null || exchange.answeredAt < notFound.answeredAt
      return this.#doubt(id, { reason: 'the platform answered 404', notFound: isFirst ? exchange : notFound })
    }
    if (state.seen === null || !confirms(value, state.seen)) {
      return this.#doubt(id, { reason: 'its list does not show yet what it is by now', notFound: null })
    }
    this.#doubts.delete(id)
    return { confirms: (seen) => confirms(value, seen), by: { exchanges: [exchange] } }
  }

  #byPass({ notFound }: Doubt): Verification {
    const exchanges = notFound === null ? [] : [notFound]
    const pass = this.#lastPass
    return { confirms: () => true, by: pass === null ? { exchanges } : { exchanges, pass } }
  }

  #metSince({ notFound }: Doubt, { lastRead }: RecordState): boolean {
    return notFound !== null && lastRead.sentAt >= notFound.answeredAt && this.#passedSince(notFound.answeredAt)
  }

  #passedSince(at: number): boolean {
    return this.#passedAt !== null && this.#passedAt >= at
  }

  /** After a 404 the next complete pass is the answer: nothing is asked for before it. */
  #mayAsk(doubt: Doubt): boolean {
    const { notFound } = doubt
    return this.#isWaitOver(doubt) && (notFound === null || this.#passedSince(notFound.answeredAt))
  }

  /** A retry further off than any was set while the clock was ahead. */
  #isWaitOver({ retryAt }: Doubt): boolean {
    const waitMs = retryAt - this.#options.clock.now()
    return waitMs <= 0 || waitMs > RETRY_MOST_MS
  }

  #doubt(id: string, { reason, notFound }: { reason: string; notFound: Exchange | null }): null {
    const { account, clock, log, random } = this.#options
    const known = this.#doubts.get(id)
    const count = (known?.count ?? 0) + 1
    const lookedAt = clock.now()
    const retryAt = lookedAt + delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count, random: random() })
    this.#doubts.set(id, { count, retryAt, notFound, lookedAt })
    if (known === undefined) log.info({ account: account.name, invoice: id, reason }, 'calendar.waiting')
    return null
  }
}
