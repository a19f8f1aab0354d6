import type { Clock } from '../clock.ts'
import { accountEvent } from '../detect/service-event.ts'
import { fingerprint } from '../detect/fingerprint.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { Read } from '../model/record-state.ts'
import { RECORD_OF } from '../model/resource.ts'
import { afterPage, endsList, firstPage, MOST_PAGES, TAKE, type Paging } from '../plan/paging.ts'
import type { Page } from '../platform/outcome.ts'
import type { Platform } from '../platform/platform.ts'
import type { ListState } from '../store/ports.ts'
import { applyRows } from './apply-rows.ts'
import { ask, type Answer } from './ask.ts'
import type { Committer } from './committer.ts'
import type { Gate } from './gate.ts'
import type { Progress } from './progress.ts'

const EMPTY: Page = { rows: [], shipmentIdField: null }

interface PageRead {
  readonly page: Page
  readonly read: Read
}

export interface ListPollerOptions {
  readonly account: AccountSettings
  readonly watch: 'shipments' | 'invoices'
  readonly platform: Platform
  readonly gate: Gate
  readonly committer: Committer
  readonly clock: Clock
  readonly log: Logger
  readonly progress: Progress
}

export interface PassReport {
  readonly complete: boolean
  /** Why it is not complete, for people; null when it is. */
  readonly reason: string | null
  readonly events: number
  /** Records never seen before, or changed. */
  readonly changed: number
}

/** Reads one list from its first page to its end, committing page by page. */
export class ListPoller {
  readonly #options: ListPollerOptions
  /** When the last complete pass of this process started. */
  #completeFrom: number | null = null

  constructor(options: ListPollerOptions) {
    this.#options = options
  }

  get watch(): ListPollerOptions['watch'] {
    return this.#options.watch
  }

  async pass(signal: AbortSignal): Promise<PassReport> {
    const { account, clock, committer, watch } = this.#options
    const startedAt = clock.now()
    const prior = await committer.store.listState(account.name, RECORD_OF[watch])
    const absentAt = this.#completeFrom ?? (isComplete(prior) ? prior.passStartedAt : null)
    const state = await committer.store.startPass(account.name, RECORD_OF[watch], startedAt)
    const pass = new Pass(this.#options, { state, absentAt })
    const reason = await pass.run(signal)
    if (reason === null) this.#completeFrom = startedAt
    this.#log(pass, { reason, startedAt })
    return { complete: reason === null, reason, events: pass.events, changed: pass.changed }
  }

  #log(pass: Pass, end: { reason: string | null; startedAt: number }): void {
    const { account, clock, log, watch } = this.#options
    const line = {
      account: account.name,
      resource: watch,
      complete: end.reason === null,
      pages: pass.pages,
      rows: pass.rows,
      rejected: pass.rejected,
      changed: pass.changed,
      events: pass.events,
      duration_ms: clock.now() - end.startedAt,
    }
    if (end.reason === null) log.info(line, 'poll.completed')
    else log.warn({ ...line, reason: end.reason }, 'poll.completed')
  }
}

/** A record that the last pass left behind it: whether that pass reached the list's end. */
function isComplete(state: ListState): boolean {
  return state.completedAt !== null && state.passStartedAt !== null && state.completedAt >= state.passStartedAt
}

class Pass {
  readonly #options: ListPollerOptions
  readonly #absentAt: number | null
  readonly #rejections = new Set<string>()
  /** Ids met by a baseline, to count it: rows may come twice when the list shifts. */
  readonly #met = new Set<string>()
  #state: ListState
  #paging: Paging
  pages = 0
  rows = 0
  rejected = 0
  changed = 0
  events = 0

  constructor(options: ListPollerOptions, start: { state: ListState; absentAt: number | null }) {
    this.#options = options
    this.#absentAt = start.absentAt
    this.#state = start.state
    this.#paging = firstPage(start.state.largestPage)
  }

  /** null when the list was read to its end, otherwise why not. */
  async run(signal: AbortSignal): Promise<string | null> {
    while (this.pages < MOST_PAGES) {
      const answer = await this.#read(signal)
      if (answer.kind === 'failed') return answer.reason
      const read = { page: answer.value ?? EMPTY, read: answer.read }
      const page = { rows: read.page.rows.length, fingerprint: pageFingerprint(read.page) }
      const end = endsList(this.#paging, page)
      this.#paging = afterPage(this.#paging, page)
      await this.#apply(read)
      if (end === 'yes' || (end === 'unless_items_are_unmet' && (await this.#unmet()) === 0)) {
        await this.#complete()
        return null
      }
    }
    return `the list did not end after ${MOST_PAGES} pages`
  }

  async #read(signal: AbortSignal): Promise<Answer<Page>> {
    const { account, gate, platform, watch } = this.#options
    const request = { skip: this.#paging.skip, take: TAKE, shipmentIdField: account.shipmentIdField }
    return ask(async () => platform.list(RECORD_OF[watch], request, signal), { gate, signal, of: 'list' })
  }

  async #apply(read: PageRead): Promise<void> {
    const { account, committer, watch, progress } = this.#options
    this.pages += 1
    this.rows += read.page.rows.length
    this.#noteRejected(read.page)
    const { largestPage } = this.#paging
    const shipmentIdField = read.page.shipmentIdField ?? this.#state.shipmentIdField
    this.#state = { ...this.#state, largestPage, shipmentIdField }
    const records = recordsById(read.page)
    const applied = await applyRows(committer, {
      account,
      resource: RECORD_OF[watch],
      records,
      read: read.read,
      list: this.#state,
      absentAt: this.#absentAt,
    })
    this.changed += applied.changed
    this.events += applied.events.length
    if (this.#state.baselinedAt !== null) return
    for (const id of records.keys()) this.#met.add(id)
    progress({ account: account.name, watch, done: this.#met.size, total: null })
  }

  async #unmet(): Promise<number> {
    const { account, committer, watch } = this.#options
    return committer.store.unmet(account.name, RECORD_OF[watch], this.#state.pass)
  }

  #noteRejected(page: Page): void {
    const { account, log, watch } = this.#options
    for (const row of page.rows) {
      if (row.kind !== 'rejected') continue
      this.rejected += 1
      const key = `${row.id ?? ''} ${row.reason}`
      if (this.#rejections.has(key)) continue
      this.#rejections.add(key)
      const line = {
        account: account.name,
        resource: watch,
        id: row.id,
        reason: row.reason,
      }
      log.warn(line, 'poll.record_rejected')
    }
  }

  async #complete(): Promise<void> {
    const { account, clock, committer, progress, watch } = this.#options
    const completedAt = clock.now()
    const resource = RECORD_OF[watch]
    if (this.#state.baselinedAt !== null) {
      const list = { resource, state: { ...this.#state, completedAt } }
      await committer.commit(async () => ({ account: account.name, records: [], events: [], list }))
      return
    }
    const list = { resource, state: { ...this.#state, completedAt, baselinedAt: completedAt } }
    const extras = { resource: watch, count: this.#met.size }
    const type = 'account.baseline_completed'
    await committer.commitAccountEvent(
      account.name,
      (before) => accountEvent({ account: account.name, state: before, type, at: completedAt, extras }),
      list,
    )
    progress({ account: account.name, watch, done: this.#met.size, total: this.#met.size })
  }
}

/** Where one page holds a row twice, the last one stands. */
function recordsById(page: Page): ReadonlyMap<string, JsonObject> {
  const records = page.rows.filter((row) => row.kind === 'record')
  return new Map(records.map(({ id, record }) => [id, record]))
}

/** By ids, not by content: a platform that ignores `skip` may render the same rows anew (presigned links). */
function pageFingerprint(page: Page): string {
  return fingerprint({ rows: page.rows.map((row) => row.id ?? row.record) })
}
