import type { Exchange } from '../../model/exchange.ts'
import type { HoldReason } from '../../model/hold.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ListGaps } from '../../model/list-gaps.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { firstUnread } from '../../plan/bad-places.ts'
import { noteAnswer, Quarantine } from '../ingest/quarantine.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { ReadResult } from '../requests/account-client.ts'
import type { PageReader } from './page-reader.ts'
import { PassCourse } from './pass-course.ts'
import { PassReading, type ReadingEnd } from './pass-reading.ts'
import { PassRows, type PassStart } from './pass-rows.ts'
import type { Proof, Settled } from './complete-pass.ts'
import { Removals } from './removals.ts'

/** The first rows that a pass did not read, and why. */
interface Unread {
  readonly skip: number
  readonly reason: string
  /** Whether that is a failure of its list. A refusal is told otherwise, and copies from a cache pass by. */
  readonly isOfList: boolean
}

export interface PassReport {
  /** Why it is not complete, for people; null when it is. */
  readonly reason: string | null
  /** What the pass left unread; null: it read all, and what it showed is believed. */
  readonly unread: Unread | null
  /** Whether another read would show more. Old copies from a cache stay old. */
  readonly isCutShort: boolean
  readonly pages: number
  readonly rows: number
  readonly rejected: number
  /** Records never seen before, or changed. */
  readonly changed: number
  /** Rows of unknown records that may be another account's, and so were not learnt. */
  readonly withheld: number
  readonly removed: number
  /** Why what the pass missed is not believed; null: it is. */
  readonly held: HoldReason | null
  readonly events: number
}

const NOTHING_MISSED: Settled = { removed: 0, events: 0, held: null }

/** An answer that shows the other record of a reference says nothing of the one that was asked for. */
function namesakeAnswered(exchange: Exchange | null): ReadResult<JsonObject> {
  const reason = 'The platform answered with the other record of that reference.'
  return { kind: 'failed', why: 'namesake', reason, exchange }
}

/** One pass over a list, committed page by page; what it missed is judged at its end, unless it left anything out. */
export class ListPass {
  readonly #context: ListContext
  readonly #reader: PageReader
  readonly #start: PassStart
  readonly #course: PassCourse
  readonly #rows: PassRows
  /** For the fetches by id that prove a removal. */
  readonly #fetched: Quarantine
  #settled = NOTHING_MISSED

  constructor(context: ListContext, reader: PageReader, start: PassStart) {
    this.#context = context
    this.#reader = reader
    this.#start = start
    this.#course = new PassCourse(start.state)
    this.#rows = new PassRows(context, start)
    this.#fetched = new Quarantine(context, 'item')
  }

  async run(): Promise<PassReport> {
    const { signal } = this.#start
    const reading = { start: this.#start, course: this.#course, rows: this.#rows, signal }
    const end = await new PassReading(this.#context, this.#reader, reading).run()
    if (end.kind === 'end' && this.#course.flaw === null) await this.#end(end, signal)
    const unread = this.#unread(end)
    if (unread !== null) await this.#rows.endQuarantine(false)
    await this.#fetched.end({ complete: false, provenance: this.#rows.provenance('pass') })
    const { events, held, removed } = this.#settled
    const { counts, withheld } = this.#rows
    const isCutShort = end.kind === 'cut_short'
    const sum = { ...counts, withheld, removed, held, events: counts.events + events }
    return { reason: unread?.reason ?? null, unread, isCutShort, pages: this.#course.pages, ...sum }
  }

  /** The gaps that the pass leaves behind, without what its end means for them. */
  get gaps(): ListGaps {
    return this.#rows.state.gaps
  }

  #unread(end: ReadingEnd): Unread | null {
    if (end.kind === 'cut_short') return end
    const { flaw } = this.#course
    if (flaw !== null) return { skip: 0, reason: flaw, isOfList: false }
    const unread = firstUnread(this.gaps)
    return unread === null ? null : { ...unread, isOfList: true }
  }

  /** Rows that are left out may be those of any record that the pass missed. */
  async #end({ exchange, isBeforeRest }: Extract<ReadingEnd, { kind: 'end' }>, signal: AbortSignal): Promise<void> {
    this.#rows.endCatchingUp()
    if (firstUnread(this.gaps) === null) return this.#complete(exchange, signal)
    const { accountClient, clock, committer, account, plan, watch } = this.#context
    await this.#rows.endNamesakes(this.#start.state.baselinedAt === null)
    const listed = await this.#rows.endCollisions(false)
    const { cost, known, skips } = this.#course.end
    const state = { ...listed, ...known }
    plan.endList(RECORD_OF[watch], skips, cost)
    if (!isBeforeRest) await accountClient.readToEnd(watch, exchange)
    if (state.baselinedAt === null) return this.#endBaseline({ ...state, completedAt: clock.now() })
    const changes = [{ kind: 'list', resource: RECORD_OF[watch], state }] as const
    await committer.commit(account.name, async () => ({ changes }))
  }

  async #complete(lastExchange: Exchange, signal: AbortSignal): Promise<void> {
    const { account, clock, committer, accountClient, plan, watch } = this.#context
    const { store } = committer
    const resource = RECORD_OF[watch]
    const proof = this.#proof(signal)
    await this.#rows.endNamesakes(true)
    const listed = await this.#rows.endCollisions(true)
    await this.#rows.endQuarantine(true)
    const { cost, known: listEnd, skips } = this.#course.end
    const state = { ...listed, ...listEnd, completedAt: clock.now() }
    plan.endList(resource, skips, cost)
    await accountClient.readToEnd(watch, lastExchange)
    if (state.baselinedAt === null) return this.#endBaseline(state)
    const pass = { ...this.#start, state, lastExchange, proof, removedBy: 'absence' } as const
    const { met, counts } = this.#rows
    this.#settled = await new Removals(this.#context, pass).settle({
      missing: await store.missing(account.name, resource, state.pass),
      rows: counts.rows,
      inMotion: met.inMotion,
      shownId: await met.shownId(state.pass),
    })
  }

  /** The first complete pass over a list has ended: from now on it rings (guarantee D1). */
  async #endBaseline(state: PassStart['state']): Promise<void> {
    const { account, clock, committer, progress, watch } = this.#context
    const at = state.completedAt ?? clock.now()
    const count = (await this.#rows.met.all()).size
    // As many rows as came twice may have been left out.
    const catchingUp = this.#rows.met.hasRepeats ? { passes: 0 } : null
    this.#rows.leaveOut({ ...state.gaps, catchingUp })
    const baselined = { ...state, gaps: this.gaps, baselinedAt: at, baselinePass: state.pass }
    const changes = [{ kind: 'list', resource: RECORD_OF[watch], state: baselined }] as const
    const event = { type: 'account.baseline_completed', at, extras: { resource: watch, count } } as const
    const provenance = this.#rows.provenance('pass')
    await ringAccount(committer, { account: account.name, changes, provenance }, () => event)
    progress({ account: account.name, watch, done: count, total: count })
  }

  /** A fetch by id says whether a record of the list exists; one that shows what cannot be understood rings for it. */
  #proof(signal: AbortSignal): Proof {
    const { accountClient, platform, watch } = this.#context
    const resource = RECORD_OF[watch]
    const how = { signal, of: 'item', priority: 'verification' } as const
    return async (id) => {
      const fetched = async () => platform.item(resource, idAtPlatform(resource, id), signal)
      const answer = await accountClient.ask(fetched, how)
      await noteAnswer(this.#fetched, { resource, id, answer })
      return (await this.#isOfNamesake(id, answer)) ? namesakeAnswered(answer.exchange) : answer
    }
  }

  /** Whether a fetch by a reference showed an invoice for a credit note, or the other way round. */
  async #isOfNamesake(id: string, answer: ReadResult<JsonObject>): Promise<boolean> {
    const { account, committer, watch } = this.#context
    if (watch !== 'invoices' || answer.kind === 'failed' || answer.value === null) return false
    const seen = (await committer.store.records(account.name, 'invoice', [id])).get(id)?.seen ?? null
    return seen !== null && invoiceKind(seen) !== invoiceKind(answer.value)
  }
}
