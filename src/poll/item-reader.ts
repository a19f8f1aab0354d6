import { detectChange } from '../detect/detect-change.ts'
import { fingerprint } from '../detect/fingerprint.ts'
import { ignoredPaths } from '../detect/ignore/ignored-paths.ts'
import { isFresh } from '../detect/read-order.ts'
import type { AccountSettings } from '../model/account.ts'
import type { EventDraft } from '../model/event.ts'
import type { Exchange } from '../model/exchange.ts'
import type { JsonObject } from '../model/json.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { Sighting } from '../model/sighting.ts'
import type { Platform } from '../platform/platform.ts'
import type { ListState } from '../store/list-state.ts'
import type { RecordWrite } from '../store/ports.ts'
import { ask } from './ask.ts'
import type { ChurnWatch } from './churn-watch.ts'
import type { Committer } from './committer.ts'
import type { Gate } from './gate.ts'
import type { ItemSource } from './item-source.ts'
import type { ItemQuarantine } from './item-quarantine.ts'
import { noteAnswer } from './note-answer.ts'
import { readOf } from './read-of.ts'
import type { ReadingPlan } from './reading-plan.ts'
import type { Urgency } from './waiting-line.ts'

export interface ItemReaderOptions {
  readonly account: AccountSettings
  readonly source: ItemSource
  readonly platform: Platform
  readonly gate: Gate
  readonly committer: Committer
  readonly churn: ChurnWatch
  readonly quarantine: ItemQuarantine
  readonly plan: ReadingPlan
}

export interface ItemReadOptions {
  readonly signal: AbortSignal
  readonly list: ListState
  /** Left out: `promise`. */
  readonly urgency?: Urgency
  /** Something else said that it changed. */
  readonly announced?: boolean
}

export type ItemRead =
  | {
      readonly kind: 'read'
      readonly events: number
      readonly exchange: Exchange
      /** The platform answered 404. */
      readonly isAbsent: boolean
    }
  | { readonly kind: 'failed'; readonly reason: string }

interface ItemAnswer {
  readonly id: string
  /** null: 404, the read showed nothing. */
  readonly record: JsonObject | null
  readonly exchange: Exchange
  readonly list: ListState
}

/** Reads one item and commits what it taught. */
export class ItemReader {
  readonly #options: ItemReaderOptions
  readonly #ignore: readonly string[]

  constructor(options: ItemReaderOptions) {
    this.#options = options
    this.#ignore = ignoredPaths(options.account, RECORD_OF[options.source.watch])
  }

  async read(id: string, options: ItemReadOptions): Promise<ItemRead> {
    const { churn, gate, plan, platform, quarantine, source } = this.#options
    const { signal, list, urgency = 'promise', announced = false } = options
    const request = { gate, signal, of: 'item' as const, urgency }
    const answer = await ask(async () => platform.item(RECORD_OF[source.watch], id, signal), request)
    if (answer.kind === 'failed') {
      await noteAnswer(quarantine, { resource: RECORD_OF[source.watch], id, answer })
      return answer
    }
    const { exchange } = answer
    const events = await this.#apply({ id, record: answer.value, exchange, list })
    await noteAnswer(quarantine, { resource: RECORD_OF[source.watch], id, answer })
    if (answer.value !== null) await churn.noteItem(id, events)
    const target = { kind: 'item', resource: RECORD_OF[source.watch], id } as const
    plan.itemRead({ target, at: exchange.sentAt, changed: events.length > 0, announced })
    return { kind: 'read', events: events.length, exchange, isAbsent: answer.value === null }
  }

  async #apply(answer: ItemAnswer): Promise<readonly EventDraft[]> {
    const { account, committer, source } = this.#options
    const { id, record, exchange } = answer
    const read = readOf(exchange)
    const resource = RECORD_OF[source.watch]
    return committer.commit(async () => {
      const list = source.hasRounds && record !== null ? { list: { resource, state: answer.list } } : {}
      const nothing = { account: account.name, records: [], events: [], ...list }
      const known = (await committer.store.known(account.name, resource, [id])).get(id)
      if (!isFresh(read, known?.lastRead)) return nothing
      const print = record === null ? null : fingerprint(record)
      if (known !== undefined && print !== null && known.fingerprint === print) {
        return { ...nothing, unchanged: { resource, ids: [id], read } }
      }
      return { ...nothing, ...(await this.#detect(answer, print)), sighting: this.#sighted(exchange) }
    })
  }

  #sighted(exchange: Exchange | null): Sighting {
    const exchanges = exchange === null ? [] : [exchange]
    return { by: 'item', resource: RECORD_OF[this.#options.source.watch], exchanges }
  }

  async #detect(
    answer: ItemAnswer,
    print: string | null,
  ): Promise<{ readonly records: readonly RecordWrite[]; readonly events: readonly EventDraft[] }> {
    const { account, committer, plan, source } = this.#options
    const { id, record, exchange } = answer
    const read = readOf(exchange)
    const resource = RECORD_OF[source.watch]
    const before = (await committer.store.records(account.name, resource, [id])).get(id) ?? null
    const { isBaseline, isGone, shipment, facts } = await source.about(id, answer.list)
    if (isGone || facts === null) plan.outlook.forget({ kind: 'item', resource, id })
    else plan.itemKnown(facts, before?.lastRead.sentAt ?? read.sentAt)
    if (isGone) return { records: [], events: [] }
    const isSilent = before === null && isBaseline && account.firstPoll === 'baseline'
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
    const write = { state: detected.state, fingerprint: print, expectedVersion: before?.version ?? null }
    return { records: [write], events: detected.events }
  }
}
