import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import { Outlook, type ItemFacts, type ItemReadReport, type PageReadReport } from '../plan/outlook.ts'
import { requestRate, stretchOf, type ReadPromise } from '../plan/promises.ts'
import type { Committer } from './committer.ts'
import type { Gate } from './gate.ts'
import { AFTER_CLOSED_MS } from './tracking-facts.ts'

export interface ReadingPlanOptions {
  readonly account: AccountSettings
  readonly committer: Committer
  readonly clock: Clock
  readonly gate: Gate
}

/** Requests that may be ahead of one that is promised. */
const QUEUE = 8

/** What is read when: the promises of the account as far as its budget keeps them, and the outlook for what it leaves over. */
export class ReadingPlan {
  readonly outlook: Outlook
  readonly #options: ReadingPlanOptions
  #isLoaded = false

  constructor(options: ReadingPlanOptions) {
    this.#options = options
    this.outlook = new Outlook(weightsOf(options.account))
  }

  /** Goes on where the last process ended. What is noted before is not heard: the store knows it. */
  async load(): Promise<void> {
    const { account, clock, committer } = this.#options
    const { store } = committer
    const { outlook } = this
    outlook.recall(await store.learnt(account.name))
    this.#isLoaded = true
    if (account.watch.tracking === undefined) return
    const tracked = await store.trackedShipments(account.name, clock.now() - AFTER_CLOSED_MS)
    for (const { shipmentId, lastSentAt, closedAt, phase } of tracked) {
      const target = { kind: 'item', resource: 'tracking', id: shipmentId } as const
      const endsAt = closedAt === null ? null : closedAt + AFTER_CLOSED_MS
      outlook.itemKnown({ target, phase, endsAt }, lastSentAt)
    }
  }

  /** Writes down what was learnt. */
  async save(): Promise<void> {
    const { account, committer } = this.#options
    if (!this.#isLoaded) return
    const learnt = this.outlook.unsaved()
    if (learnt.units.length === 0) return
    await committer.commit(async () => ({ account: account.name, records: [], events: [], learnt }))
  }

  pageRead(report: PageReadReport): void {
    if (this.#isLoaded) this.outlook.pageRead(report)
  }

  /** What is known of an item now; `readAt`: when it was read, where that is news. */
  itemKnown(facts: ItemFacts, readAt: number): void {
    if (this.#isLoaded) this.outlook.itemKnown(facts, this.outlook.readAt(facts.target) ?? readAt)
  }

  itemRead(report: ItemReadReport): void {
    if (this.#isLoaded) this.outlook.itemRead(report)
  }

  /** The longest that a resource goes unread: as promised, or longer where the budget does not cover all promises. */
  everyMs(watch: Watchable): number {
    const promised = this.#options.account.watch[watch]?.everyMs ?? Number.POSITIVE_INFINITY
    return Math.floor(promised * stretchOf(this.promises(), this.#rate()))
  }

  /** How long before that a read has to be asked for, so that it is sent in time with `requests` ahead of it. */
  leadMs(watch: Watchable, requests: number): number {
    return Math.ceil(Math.min((requests + QUEUE) / this.#rate(), this.everyMs(watch) / 4))
  }

  /** What is promised, as far as the account is known. */
  promises(): readonly ReadPromise[] {
    const { watch } = this.#options.account
    return WATCHABLES.flatMap((name) => {
      const everyMs = watch[name]?.everyMs
      return everyMs === undefined ? [] : [{ everyMs, requests: this.requests(name) }]
    })
  }

  /** How many requests it takes to read all of a resource, as far as it is known. */
  requests(watch: Watchable): number {
    return this.outlook.count(RECORD_OF[watch])
  }

  get isCovered(): boolean {
    return requestRate(this.promises()) <= this.#rate()
  }

  #rate(): number {
    const { requests, perMs } = this.#options.gate.flow
    return requests / perMs
  }
}

const WATCHABLES = [
  'shipments',
  'tracking',
  'invoices',
  'documents',
  'purchase_orders',
  'locations',
  'order_preparations',
] as const

function weightsOf({ watch }: AccountSettings): Readonly<Partial<Record<RecordResource, number>>> {
  const entries = WATCHABLES.flatMap((name) => {
    const weight = watch[name]?.weight
    return weight === undefined ? [] : [[RECORD_OF[name], weight] as const]
  })
  return Object.fromEntries(entries)
}
