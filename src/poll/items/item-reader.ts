import { contentHashOf } from '../../model/content-hash.ts'
import type { Exchange, Validator } from '../../model/exchange.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ReadReason } from '../../model/provenance.ts'
import { RECORD_OF, type RecordResource } from '../../model/resource.ts'
import type { ItemTarget } from '../../plan/target.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import type { KnownRecord } from '../../store/ports/record-port.ts'
import type { ChurnWatch } from '../ingest/churn-watch.ts'
import { betweenSteps, judgeAnswer, newsOf, NOTHING_INGESTED, sortAnswer, type Ingested } from '../ingest/ingest.ts'
import { readOf } from '../ingest/record-facts.ts'
import { noteAnswer, type ItemQuarantine } from '../ingest/quarantine.ts'
import { isFresh } from '../../model/record-state.ts'
import type { PollContext } from '../poll-context.ts'
import type { RequestOptions } from '../requests/account-client.ts'
import type { ReadResult } from '../requests/read-result.ts'
import { EtagTrust, type KnownAnswer } from '../requests/etag-trust.ts'
import type { Priority } from '../requests/priority-queue.ts'
import type { ItemSource } from './item-sources.ts'

export interface ItemContext extends PollContext {
  readonly source: ItemSource
  readonly churn: ChurnWatch
  readonly quarantine: ItemQuarantine
}

export interface ItemReadOptions {
  readonly signal: AbortSignal
  readonly list: ListState
  /** How urgent the read is; left out: `due`. */
  readonly priority?: Priority
  readonly blame: NonNullable<RequestOptions['blame']>
  readonly why: ReadReason
}

export type ItemRead =
  | {
      readonly kind: 'read'
      readonly events: number
      readonly exchange: Exchange
      /** The platform answered 404. */
      readonly isAbsent: boolean
    }
  | Extract<ReadResult<unknown>, { readonly kind: 'failed' }>

/** The last answer of an item. */
type Last = Pick<KnownAnswer, 'validator' | 'sentAt'>

interface ItemAnswer {
  readonly id: string
  /** The record that the read showed; null: none (404). */
  readonly record: JsonObject | null
  readonly exchange: Exchange
  /** Null where nothing identifies the answer. */
  readonly validator: Validator | null
  readonly list: ListState
  readonly why: ReadReason
}

/** Reads one item and commits what it taught. The last answer again is not parsed. */
export class ItemReader {
  readonly #context: ItemContext
  readonly #resource: RecordResource
  readonly #etagTrust: EtagTrust

  constructor(context: ItemContext) {
    this.#context = context
    this.#resource = RECORD_OF[context.source.watch]
    this.#etagTrust = new EtagTrust({ ...context, watch: context.source.watch })
  }

  async read(id: string, options: ItemReadOptions): Promise<ItemRead> {
    return this.#read(id, { ...options, last: await this.#last(id) })
  }

  async #read(id: string, options: ItemReadOptions & { readonly last: Last | null }): Promise<ItemRead> {
    const { churn, clock, accountClient, plan, platform, quarantine, source } = this.#context
    const { blame, last, list, signal, priority = 'due', why } = options
    const resource = this.#resource
    const known = last === null ? null : await this.#etagTrust.trusted({ ...last, name: id }, clock.now())
    const request = { signal, of: 'item', priority, blame, place: { watch: source.watch, skip: 0 } } as const
    const answer = await accountClient.ask(async () => platform.reread(resource, { id, known }, signal), request)
    if (answer.kind === 'failed') {
      await noteAnswer(quarantine, { resource, id, answer })
      return answer
    }
    const { exchange, validator, value } = answer
    if (value !== 'unchanged') await this.#etagTrust.compare(id, [last?.validator ?? null, validator])
    const shown = { id, exchange, validator, list, why }
    const ingested =
      value === 'unchanged' ? await this.#touch(shown, last) : await this.#ingest({ ...shown, record: value })
    if (ingested === null) return this.#read(id, { ...options, last: null })
    const { events, revised } = ingested
    const [rejection] = ingested.rejected
    if (rejection !== undefined) {
      const rejected = { kind: 'failed', why: 'rejected', reason: rejection.reason, exchange } as const
      await noteAnswer(quarantine, { resource, id, answer: rejected })
      return rejected
    }
    await noteAnswer(quarantine, { resource, id, answer })
    const target = { kind: 'item', resource, id } as const
    const announced = why.kind === 'announced'
    // What is read because it changed says nothing of how many reads show a change.
    if (value !== null && !announced) await churn.noteItem(id, events)
    const isOther = ingested.different > 0
    if (isOther || plan.lacks(target)) {
      const before = revised[0]?.before?.lastRead ?? readOf(exchange)
      await this.#introduce(target, { list, readAt: isOther ? before.sentAt : exchange.sentAt })
    }
    plan.itemRead({ target, at: exchange.sentAt, changed: churn.haveNews(events), announced })
    return { kind: 'read', events: events.length, exchange, isAbsent: value === null }
  }

  /** Whether the item is still read at all; what is not is forgotten by the plan. */
  async isRead(id: string, { list, now }: { readonly list: ListState; readonly now: number }): Promise<boolean> {
    const { plan, source } = this.#context
    const { facts, isGone } = await source.about(id, list)
    const isOver = isGone || facts === null || (facts.endsAt !== null && facts.endsAt <= now)
    if (isOver) plan.scheduler.forget({ kind: 'item', resource: this.#resource, id })
    return !isOver
  }

  /** Reports an item to the plan that the plan does not know, or that may be another by now. */
  async #introduce(target: ItemTarget, known: { readonly list: ListState; readonly readAt: number }): Promise<void> {
    const { plan, source } = this.#context
    const { facts, isGone } = await source.about(target.id, known.list)
    if (isGone || facts === null) plan.scheduler.forget(target)
    else plan.itemKnown(facts, known.readAt)
  }

  async #last(id: string): Promise<Last | null> {
    const known = await this.#known(id)
    if (known?.contentHash == null) return null
    return { validator: { contentHash: known.contentHash, etag: known.etag }, sentAt: known.lastRead.sentAt }
  }

  async #known(id: string): Promise<KnownRecord | null> {
    const { account, committer } = this.#context
    return (await committer.store.known(account.name, this.#resource, [id])).get(id) ?? null
  }

  /** The answer that was known: only its last read moves on. null where the record is no longer the one it was. */
  async #touch({ exchange, id, validator }: Omit<ItemAnswer, 'record'>, last: Last | null): Promise<Ingested | null> {
    const { account, committer } = this.#context
    const read = readOf(exchange)
    const touched = await committer.commit(account.name, async () => {
      const known = await this.#known(id)
      if (known === null || known.contentHash !== last?.validator.contentHash) return null
      if (!isFresh(read, known.lastRead)) return {}
      const etag = validator?.etag ?? null
      return { changes: [{ kind: 'unchanged', resource: this.#resource, ids: [id], read, etag }] }
    })
    return touched === null ? null : NOTHING_INGESTED
  }

  async #ingest({ exchange, id, list, record, validator, why }: ItemAnswer): Promise<Ingested> {
    const { account, committer, source } = this.#context
    const resource = this.#resource
    const contentHash = record === null ? null : (validator?.contentHash ?? contentHashOf(JSON.stringify(record)))
    const readings = new Map([[id, { contentHash, record }]])
    const provenance = { by: 'item', resource, exchanges: [exchange], why } as const
    const answer = { resource, exchange, readings, etag: validator?.etag ?? null, absentAt: null, provenance }
    let rejected: Ingested['rejected'] = []
    const committed = await committer.commit(account.name, async () => {
      const known = await this.#known(id)
      const sorted = sortAnswer(answer, new Map(known === null ? [] : [[id, known]]))
      if (sorted.current.length === 0) return null
      const about = sorted.different.length === 0 ? null : await source.about(id, list)
      if (about === null || about.isGone) return newsOf(answer, sorted, { revised: [], rejected: [], changes: [] })
      const states = await committer.store.records(account.name, resource, [id])
      const isLearnt = !states.has(id) && about.isBaseline && account.firstPoll === 'baseline'
      const silent = new Set(isLearnt ? [id] : [])
      const circumstances = { sorted, states, silent, absorbed: [], shipments: new Map([[id, about.shipment]]) }
      const judged = await judgeAnswer(this.#context, answer, circumstances)
      rejected = judged.rejected
      if (rejected.length > 0) return null
      await betweenSteps(exchange)
      return newsOf(answer, sorted, { ...judged, changes: [] })
    })
    return { ...(committed ?? NOTHING_INGESTED), rejected }
  }
}
