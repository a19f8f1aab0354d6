import type { Exchange } from '../../model/exchange.ts'
import type { HoldReason } from '../../model/hold.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { MOST_PAGES } from '../../plan/paging.ts'
import { noteAnswer, Quarantine } from '../ingest/quarantine.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { ReadResult } from '../requests/account-client.ts'
import type { PageReader } from './page-reader.ts'
import { PassCourse } from './pass-course.ts'
import { PassRows, type PassStart } from './pass-rows.ts'
import { Removals, type Proof, type Settled } from './removals.ts'

export interface PassReport {
  /** Why it is not complete, for people; null when it is. */
  readonly reason: string | null
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

/** One pass over a list, committed page by page; what it missed is judged at its end. */
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

  async run(signal: AbortSignal): Promise<PassReport> {
    const reason = await this.#readAll(signal)
    if (reason !== null) await this.#rows.endQuarantine(false)
    await this.#fetched.end({ complete: false, provenance: this.#rows.provenance('pass') })
    const { events, held, removed } = this.#settled
    const { counts, withheld } = this.#rows
    const isCutShort = reason !== null && this.#course.flaw === null
    const sum = { ...counts, withheld, removed, held, events: counts.events + events }
    return { reason, isCutShort, pages: this.#course.pages, ...sum }
  }

  /** null when the list was read to its end, otherwise why not. */
  async #readAll(signal: AbortSignal): Promise<string | null> {
    const { baselinedAt, pass } = this.#start.state
    while (!this.#course.isEndless) {
      const answer = await this.#reader.read({ skip: this.#course.skip, pass, maySkip: baselinedAt !== null, signal })
      if (answer.kind === 'failed') return answer.reason
      const end = this.#course.moveOn(answer)
      await this.#rows.take(answer)
      if (end === 'yes' || (end === 'unless_items_are_unmet' && (await this.#unmet()) === 0)) {
        if (this.#course.flaw === null) await this.#complete(answer.exchange, signal)
        return this.#course.flaw
      }
    }
    return `the list did not end after ${MOST_PAGES} pages`
  }

  async #unmet(): Promise<number> {
    const { account, committer, watch } = this.#context
    return committer.store.unmet(account.name, RECORD_OF[watch], this.#start.state.pass)
  }

  async #complete(lastExchange: Exchange, signal: AbortSignal): Promise<void> {
    const { account, clock, committer, accountClient, plan, watch } = this.#context
    const { store } = committer
    const resource = RECORD_OF[watch]
    const proof = this.#proof(signal)
    await this.#rows.endNamesakes()
    const listed = await this.#rows.endCollisions(proof, signal)
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
    const baselined = { ...state, baselinedAt: at, baselinePass: state.pass }
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
