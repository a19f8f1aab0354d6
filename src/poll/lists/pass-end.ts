import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../../model/exchange.ts'
import type { HoldReason } from '../../model/hold.ts'
import { formatInstant } from '../../model/instant.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import type { IncompletePasses, ListGaps } from '../../model/list-gaps.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { firstUnread } from '../../plan/list-gaps.ts'
import { noteAnswer, Quarantine } from '../ingest/quarantine.ts'
import { accountNews, ringAccount } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { ReadResult } from '../requests/read-result.ts'
import type { Proof, Settled } from './unproved.ts'
import type { ReachedEnd } from './page-trouble.ts'
import type { PassCourse, PassStart } from './pass-course.ts'
import type { PassRows } from './pass-rows.ts'
import { Removals } from './removals.ts'

/** The first rows that a pass did not read, and why. */
export interface Unread {
  readonly skip: number
  readonly reason: string
  /** Whether the rest is unread for a failure of its list. A refusal is told otherwise, and copies from a cache pass by. */
  readonly isOfList: boolean
}

export interface PassReport {
  /** Why the pass is not complete, for people; null when it is. */
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

/** An answer that shows the other record of a reference says nothing of the one that was asked for. */
function namesakeAnswered(exchange: Exchange | null): ReadResult<JsonObject> {
  const reason = 'The platform answered with the other record of that reference.'
  return { kind: 'failed', why: 'namesake', reason, exchange }
}

const NOTHING_MISSED: Settled = { removed: 0, events: 0, held: null }

interface EndedPass {
  readonly start: PassStart
  readonly course: PassCourse
  readonly rows: PassRows
}

/** The end of a pass that reached the end of its list: what waited is committed, and what the pass missed is judged. */
export class PassEnding {
  readonly #context: ListContext
  readonly #start: PassStart
  readonly #course: PassCourse
  readonly #rows: PassRows
  /** The quarantine of the fetches by id that prove a removal. */
  readonly #fetched: Quarantine

  constructor(context: ListContext, { course, rows, start }: EndedPass) {
    this.#context = context
    this.#start = start
    this.#course = course
    this.#rows = rows
    this.#fetched = new Quarantine(context, 'item')
  }

  /** Resolves to what became of the records that the pass missed. */
  async end(reached: ReachedEnd): Promise<Settled> {
    this.#rows.endCatchingUp()
    // Rows that are left out may be those of any record that the pass missed.
    const isWhole = firstUnread(this.#rows.state.gaps) === null
    const settled = isWhole ? await this.#complete(reached.exchange) : await this.#endInPart(reached)
    await this.#fetched.end({ complete: false, provenance: this.#rows.provenance('pass') })
    return settled
  }

  async #endInPart({ exchange, isBeforeRest }: ReachedEnd): Promise<Settled> {
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
    return NOTHING_MISSED
  }

  async #complete(lastExchange: Exchange): Promise<Settled> {
    const { account, clock, committer, accountClient, plan, watch } = this.#context
    const { store } = committer
    const resource = RECORD_OF[watch]
    const proof = this.#proof(this.#start.signal)
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
    return new Removals(this.#context, pass).settle({
      missing: await store.missing(account.name, resource, state.pass),
      rows: counts.rows,
      inMotion: met.inMotion,
      shownId: await met.shownId(state.pass),
    })
  }

  /** The first complete pass over a list has ended: from now on it rings (guarantee D1). */
  async #endBaseline(state: PassStart['state']): Promise<Settled> {
    const { account, clock, committer, progress, watch } = this.#context
    const at = state.completedAt ?? clock.now()
    const count = (await this.#rows.met.all()).size
    // As many rows as came twice may have been left out.
    const catchingUp = this.#rows.met.hasRepeats ? { passes: 0 } : null
    this.#rows.leaveOut({ ...state.gaps, catchingUp })
    const baselined = { ...state, gaps: this.#rows.state.gaps, baselinedAt: at, baselinePass: state.pass }
    const changes = [{ kind: 'list', resource: RECORD_OF[watch], state: baselined }] as const
    const event = { type: 'account.baseline_completed', at, extras: { resource: watch, count } } as const
    const provenance = this.#rows.provenance('pass')
    await ringAccount(committer, { account: account.name, changes, provenance }, () => event)
    progress({ account: account.name, watch, done: count, total: count })
    return NOTHING_MISSED
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

/** How many passes in a row that are not complete ring. */
const PASSES_UNTIL_INCOMPLETE = 3

/**
 * Remembers what a pass left out of its list, and rings once where the list has not been read whole for so many passes, and once
 * where it is read whole again (guarantee D9). A pass that was cut short says nothing of its list where
 * nothing of the account has answered since the last one was.
 */
export async function notePassEnd(context: ListContext, report: PassReport, gaps: ListGaps): Promise<void> {
  const { account, clock, committer, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const before = (await store.listState(account.name, resource)).gaps
  const incomplete = afterPass(context, report, before.incomplete)
  const after = { ...gaps, incomplete }
  if (isDeepStrictEqual(before, after)) return
  await committer.commit(account.name, async () => {
    const state = { ...(await store.listState(account.name, resource)), gaps: after }
    const changes = [{ kind: 'list', resource, state }] as const
    const event = eventOf(before.incomplete, incomplete)
    if (event === null) return { changes }
    const extras = { ...event.extras, resource: watch }
    const news = await accountNews(store, account.name, () => ({ ...event, at: clock.now(), extras }))
    const provenance = { by: 'health', resource, exchanges: [] } as const
    return news === null ? { changes } : { changes, ...news, provenance }
  })
}

function afterPass(
  { accountClient, clock }: ListContext,
  { isCutShort, unread }: PassReport,
  before: IncompletePasses | null,
): IncompletePasses | null {
  if (unread === null) return null
  if (!unread.isOfList) return before
  const at = clock.now()
  const isItsOwn = !isCutShort || accountClient.answeredAt > (before?.at ?? Number.NEGATIVE_INFINITY)
  if (!isItsOwn) return before
  const passes = (before?.passes ?? 0) + 1
  const hasRung = (before?.hasRung ?? false) || passes >= PASSES_UNTIL_INCOMPLETE
  const { reason, skip } = unread
  return { passes, at, since: before?.since ?? at, skip, reason, hasRung }
}

function eventOf(before: IncompletePasses | null, after: IncompletePasses | null) {
  if (after?.hasRung === true && before?.hasRung !== true) {
    return { type: 'account.list_incomplete', extras: { skip: after.skip, reason: after.reason } } as const
  }
  if (after !== null || before?.hasRung !== true) return null
  return {
    type: 'account.recovered',
    extras: { was: 'list_incomplete', down_since: formatInstant(before.since) },
  } as const
}
