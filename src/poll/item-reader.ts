import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { detectChange } from '../detect/detect-change.ts'
import { contentHashOf } from '../model/content-hash.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { isFresh } from '../detect/read-order.ts'
import type { AccountSettings } from '../model/account.ts'
import type { EventDraft } from '../model/event.ts'
import type { Exchange } from '../model/exchange.ts'
import type { JsonObject } from '../model/json.ts'
import type { Validator } from '../model/validator.ts'
import type { ReadReason } from '../model/read-reason.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { Provenance } from '../model/provenance.ts'
import type { ItemTarget } from '../plan/target.ts'
import type { Platform } from '../platform/platform.ts'
import type { ListState } from '../store/list-state.ts'
import type { RecordWrite } from '../store/ports.ts'
import { ask, type Answer } from './ask.ts'
import type { ChurnWatch } from './churn-watch.ts'
import type { Committer } from './committer.ts'
import type { AccountClient } from './account-client.ts'
import type { ItemSource } from './item-source.ts'
import type { ItemQuarantine } from './item-quarantine.ts'
import { betweenSteps } from './large-answer.ts'
import { noteAnswer } from './note-answer.ts'
import { readOf } from './read-of.ts'
import type { ReadingPlan } from './reading-plan.ts'
import type { Unrouted } from './route-batch.ts'
import { EtagTrust, type KnownAnswer } from './etag-trust.ts'
import type { Priority } from './priority-queue.ts'

export interface ItemReaderOptions {
  readonly account: AccountSettings
  readonly source: ItemSource
  readonly platform: Platform
  readonly accountClient: AccountClient
  readonly clock: Clock
  readonly log: Logger
  readonly committer: Committer
  readonly churn: ChurnWatch
  readonly quarantine: ItemQuarantine
  readonly plan: ReadingPlan
}

export interface ItemReadOptions {
  readonly signal: AbortSignal
  readonly list: ListState
  /** Left out: `promise`. */
  readonly priority?: Priority
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
  | Extract<Answer<unknown>, { readonly kind: 'failed' }>

/** The last answer of an item. */
type Known = Pick<KnownAnswer, 'validator' | 'sentAt'>

interface ItemAnswer {
  readonly id: string
  /** null: 404, the read showed nothing. */
  readonly record: JsonObject | null
  readonly exchange: Exchange
  /** By what the same answer is known again; null where nothing can tell. */
  readonly validator: Validator | null
  readonly list: ListState
  readonly why: ReadReason
}

/** Reads one item and commits what it taught. An answer that is the last one again is not looked into. */
export class ItemReader {
  readonly #options: ItemReaderOptions
  readonly #ignore: readonly string[]
  readonly #etagTrust: EtagTrust

  constructor(options: ItemReaderOptions) {
    this.#options = options
    this.#ignore = ignoredPaths(options.account, RECORD_OF[options.source.watch])
    this.#etagTrust = new EtagTrust({ ...options, watch: options.source.watch })
  }

  async read(id: string, options: ItemReadOptions): Promise<ItemRead> {
    return this.#read(id, { ...options, known: await this.#known(id) })
  }

  async #read(id: string, options: ItemReadOptions & { readonly known: Known | null }): Promise<ItemRead> {
    const { churn, clock, accountClient, plan, platform, quarantine, source } = this.#options
    const { known, list, signal, priority = 'promise', why } = options
    const resource = RECORD_OF[source.watch]
    const trusted = known === null ? null : await this.#etagTrust.trusted({ ...known, name: id }, clock.now())
    const place = { watch: source.watch, skip: 0 }
    const request = { accountClient, signal, of: 'item', priority, place } as const
    const answer = await ask(async () => platform.reread(resource, { id, known: trusted }, signal), request)
    if (answer.kind === 'failed') {
      await noteAnswer(quarantine, { resource, id, answer })
      return answer
    }
    const { exchange, validator, value } = answer
    if (value !== 'unchanged') await this.#etagTrust.compare(id, [known?.validator ?? null, validator])
    const events =
      value === 'unchanged'
        ? await this.#touch({ id, exchange, validator, list, why }, known?.validator ?? null)
        : await this.#apply({ id, record: value, exchange, validator, list, why })
    if (events === null) return this.#read(id, { ...options, known: null })
    await noteAnswer(quarantine, { resource, id, answer })
    const target = { kind: 'item', resource, id } as const
    const announced = why.kind === 'announced'
    // What is read because it changed says nothing of how many reads show a change.
    if (value !== null && !announced) await churn.noteItem(id, events)
    if (plan.lacks(target)) await this.#introduce(target, { list, readAt: exchange.sentAt })
    plan.itemRead({ target, at: exchange.sentAt, changed: churn.haveNews(events), announced })
    return { kind: 'read', events: events.length, exchange, isAbsent: value === null }
  }

  /** Whether the item is still read at all; what is not is forgotten by the plan. */
  async isRead(id: string, { list, now }: { readonly list: ListState; readonly now: number }): Promise<boolean> {
    const { plan, source } = this.#options
    const { facts, isGone } = await source.about(id, list)
    const isOver = isGone || facts === null || (facts.endsAt !== null && facts.endsAt <= now)
    if (isOver) plan.scheduler.forget({ kind: 'item', resource: RECORD_OF[source.watch], id })
    return !isOver
  }

  /** What is read again after it was not for a while, or was never looked into by this process. */
  async #introduce(
    { id }: ItemTarget,
    { list, readAt }: { readonly list: ListState; readonly readAt: number },
  ): Promise<void> {
    const { facts, isGone } = await this.#options.source.about(id, list)
    if (!isGone && facts !== null) this.#options.plan.itemKnown(facts, readAt)
  }

  async #known(id: string): Promise<Known | null> {
    const { account, committer, source } = this.#options
    const known = (await committer.store.known(account.name, RECORD_OF[source.watch], [id])).get(id)
    if (known?.contentHash == null) return null
    return { validator: { contentHash: known.contentHash, etag: known.etag }, sentAt: known.lastRead.sentAt }
  }

  /** null where the record is no longer the `known` one. */
  async #touch(answer: Omit<ItemAnswer, 'record'>, known: Validator | null): Promise<readonly EventDraft[] | null> {
    const { account, committer } = this.#options
    let isKnown = true
    const events = await committer.commit(async () => {
      const now = await this.#known(answer.id)
      isKnown = now !== null && now.validator.contentHash === known?.contentHash
      return isKnown ? this.#unchanged(answer) : { account: account.name, records: [], events: [] }
    })
    return isKnown ? events : null
  }

  async #unchanged({ exchange, id, validator }: Omit<ItemAnswer, 'record'>): Promise<Unrouted> {
    const { account, committer, source } = this.#options
    const resource = RECORD_OF[source.watch]
    const nothing = { account: account.name, records: [], events: [] }
    const read = readOf(exchange)
    const known = (await committer.store.known(account.name, resource, [id])).get(id)
    if (!isFresh(read, known?.lastRead)) return nothing
    return { ...nothing, unchanged: { resource, ids: [id], read, etag: validator?.etag ?? null } }
  }

  async #apply(answer: ItemAnswer): Promise<readonly EventDraft[]> {
    const { account, committer, source } = this.#options
    const { id, validator, record, exchange } = answer
    const resource = RECORD_OF[source.watch]
    return committer.commit(async () => {
      const nothing = { account: account.name, records: [], events: [] }
      const known = (await committer.store.known(account.name, resource, [id])).get(id)
      if (!isFresh(readOf(exchange), known?.lastRead)) return nothing
      const contentHash = record === null ? null : (validator?.contentHash ?? contentHashOf(JSON.stringify(record)))
      if (contentHash !== null && known?.contentHash === contentHash) return this.#unchanged(answer)
      return { ...nothing, ...(await this.#detect(answer, contentHash)), provenance: this.#provenance(answer) }
    })
  }

  #provenance({ exchange, why }: ItemAnswer): Provenance {
    return { by: 'item', resource: RECORD_OF[this.#options.source.watch], exchanges: [exchange], why }
  }

  async #detect(
    answer: ItemAnswer,
    contentHash: string | null,
  ): Promise<{ readonly records: readonly RecordWrite[]; readonly events: readonly EventDraft[] }> {
    const { account, committer, plan, source } = this.#options
    const { id, record, exchange } = answer
    const read = readOf(exchange)
    const resource = RECORD_OF[source.watch]
    const before = (await committer.store.records(account.name, resource, [id])).get(id) ?? null
    const { isBaseline, isGone, shipment, facts } = await source.about(id, answer.list)
    if (isGone || facts === null) plan.scheduler.forget({ kind: 'item', resource, id })
    else plan.itemKnown(facts, before?.lastRead.sentAt ?? read.sentAt)
    if (isGone) return { records: [], events: [] }
    const isSilent = before === null && isBaseline && account.firstPoll === 'baseline'
    await betweenSteps(exchange)
    const detected = detectChange({
      account: account.name,
      resource,
      id,
      before,
      after: record,
      read,
      mode: isSilent ? 'silent' : 'ring',
      absentAt: null,
      ignore: this.#ignore,
      settleMs: account.settleMs,
      shipment,
    })
    await betweenSteps(exchange)
    const etag = answer.validator?.etag ?? null
    const write = { state: detected.state, contentHash: contentHash, etag, expectedVersion: before?.version ?? null }
    return { records: [write], events: detected.events }
  }
}
