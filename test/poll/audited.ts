import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ListAudit } from '../../src/model/list-audit.ts'
import { AuditedList } from '../../src/poll/audit/audited-list.ts'
import { endedPass } from '../../src/poll/audit/auditor.ts'
import { Committer } from '../../src/poll/committer.ts'
import type { ListReader } from '../../src/poll/lists/list-reader.ts'
import { AccountClient, ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import { tenantOf } from '../../src/poll/requests/tenant.ts'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments } from './polling.ts'

/** Draws that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The list of shipments of an account, read and audited when a test says so. */
export class Audited implements AsyncDisposable {
  readonly polling: Polling
  /** How long after another anything is asked. */
  stepMs = 1_000
  /** How long after anything else the list is read: a list that is late has caught up by then. */
  passMs = 10 * 60_000
  readonly #signal = new AbortController().signal
  #list: AuditedList
  #reader: ListReader

  constructor(count: number, settings: Partial<AccountSettings> = {}) {
    this.polling = new Polling(settings, NO_CLOCK_IS_SET)
    this.polling.platform.shipments = shipments(count)
    this.polling.random = seeded(1)
    this.#reader = this.polling.listPoller('shipments')
    this.#list = this.#begin()
  }

  /** What the platform holds, and fetches by id show; the list shows it too, but for rows that are `stale`. */
  show(id: string, fields: JsonObject, { stale = false } = {}): void {
    const record = shipment(id, fields)
    const { platform } = this.polling
    if (stale) platform.found.set(`shipment/${id}`, record)
    else platform.shipments = platform.shipments.map((each) => (each['platform_shipment_id'] === id ? record : each))
  }

  /** Reads the list, `passMs` after what was before. */
  async pass(): Promise<void> {
    this.polling.clock.jump(this.polling.clock.now() + this.passMs)
    const startedAt = this.polling.clock.now()
    const ended = new AbortController()
    const passing = this.#reader.pass(this.#signal).finally(() => ended.abort())
    const { clock } = this.polling
    while (!ended.signal.aborted) await (clock.nextWakeAt === null ? nextTurn() : clock.advance(1_000))
    const pass = endedPass(await passing, startedAt)
    if (pass !== null) this.#list.passEnded(pass)
  }

  /** Looks so many times, as far as there is something to look at. */
  async look(times: number): Promise<void> {
    for (let nth = 0; nth < times; nth += 1) {
      this.#wait()
      const look = this.#list.nextSecond() ?? (await this.#list.next())
      if (look !== null) await this.#list.look(look, this.#signal)
    }
  }

  /** Reads the list and looks at it, again and again. */
  async rounds(amount: number, looks: number): Promise<void> {
    for (let round = 0; round < amount; round += 1) {
      await this.pass()
      await this.look(looks)
    }
  }

  /** What another process goes on with. */
  async restart(): Promise<void> {
    await this.#list.save()
    await this.polling.restart()
    this.#reader = this.polling.listPoller('shipments')
    this.#list = this.#begin()
  }

  /** What rang about the account since its baseline. */
  async rung(): Promise<readonly string[]> {
    const types = (await this.polling.types()).filter((type) => type.startsWith('account.'))
    return types.filter((type) => type !== 'account.baseline_completed')
  }

  async audit(): Promise<ListAudit | null> {
    await this.#list.save()
    return (await this.polling.store.listState('acme', 'shipment')).audit
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.polling[Symbol.asyncDispose]()
  }

  #wait(): void {
    this.polling.clock.jump(this.polling.clock.now() + this.stepMs)
  }

  #begin(): AuditedList {
    const { clock, context, store, subscriptions } = this.polling
    const committer = new Committer({ store, clock, subscriptions: () => subscriptions, onDeliveries: () => undefined })
    const tenant = tenantOf(context.account, committer)
    const limiter = new Limiter({ clock, random: () => 0 }, tenant)
    const accountClient = new AccountClient({
      tenant,
      limiter,
      patience: ENDLESS_PATIENCE,
      observe: async () => undefined,
    })
    return new AuditedList({ ...context, committer, accountClient }, 'shipments')
  }
}
