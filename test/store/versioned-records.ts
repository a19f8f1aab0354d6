import { textsOf } from '../../src/model/event-texts.ts'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { SweepPlace } from '../../src/store/ports/retention-port.ts'
import { worldShipment } from '../bench/world-shipment.ts'
import { openAt } from './open-at.ts'
import { batch, sampleEvent, sampleState, success, T, write } from './samples.ts'

const MINUTE_MS = 60_000

export type VersionStep =
  | {
      readonly do: 'change'
      readonly id: string
      readonly what: 'field' | 'nothing' | 'all' | 'back'
      readonly rings: boolean
      /** Whether its event has a row that waits to be sent. */
      readonly waits: boolean
      /** Whether what is reported stays what it was. */
      readonly settles: boolean
    }
  | { readonly do: 'fail'; readonly id: string }
  | { readonly do: 'reopen' }
  | { readonly do: 'send'; readonly amount: number }
  | { readonly do: 'expire'; readonly ago: number; readonly limit: number }

interface Next {
  readonly seen: JsonObject | null
  readonly settles: boolean
}

interface Rung {
  readonly id: string
  readonly record: string
  readonly object: JsonObject | null
  readonly before: JsonObject | null
}

/** Records of a store that go through many versions, and what has to be readable of them. */
export class VersionedRecords {
  readonly #address: string
  #store: Store
  #now = T
  readonly #known = new Map<string, RecordState>()
  readonly #rung: Rung[] = []

  private constructor(address: string, store: Store) {
    this.#address = address
    this.#store = store
  }

  /**
   * Takes the steps, and looks after each at the record it was about. All that was ever stored is looked at before payloads
   * expire, after whatever may touch more than one record, and in the end: each time would take the square of the steps.
   */
  static async play(address: string, steps: readonly VersionStep[]): Promise<void> {
    const records = new VersionedRecords(address, await openAt(address))
    try {
      await records.#store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      for (const step of steps) {
        records.#now += MINUTE_MS
        if (step.do === 'expire') await records.#lookAtAll()
        await records.#take(step)
        if (step.do === 'change') await records.#look(step.id)
        else await records.#lookAtAll()
      }
      await records.#lookAtAll()
    } finally {
      await records.#store[Symbol.asyncDispose]()
    }
  }

  async #take(step: VersionStep): Promise<void> {
    switch (step.do) {
      case 'change':
        return await this.#change(step)
      case 'fail':
        return await this.#fail(step.id)
      case 'reopen':
        await this.#store[Symbol.asyncDispose]()
        this.#store = await openAt(this.#address)
        return
      case 'send':
        return await this.#send(step.amount)
      case 'expire':
        return await this.#expire(step.ago, step.limit)
      default:
        step satisfies never
    }
  }

  async #change(step: Extract<VersionStep, { readonly do: 'change' }>): Promise<void> {
    const before = (await this.#store.records('acme', 'shipment', [step.id])).get(step.id) ?? null
    const seen = this.#next(step, before)
    const state = this.#after(step.id, before, { seen, settles: step.settles })
    const event = this.#eventOf(state, before)
    const events = step.rings ? [event] : []
    const deliveries = step.rings && step.waits ? [{ eventId: event.id, subscription: 'erp' }] : []
    const expectedVersion = before?.version ?? null
    const records = [write(state, { expectedVersion, seenBefore: before?.seen ?? null })]
    await this.#store.commit(batch({ records, events, deliveries, storedAt: this.#now }))
    this.#known.set(step.id, structuredClone(state))
    if (step.rings) this.#keep(step.id, event)
  }

  /** What is rolled back is not built upon, though the next commit takes it for the version before. */
  async #fail(id: string): Promise<void> {
    const before = (await this.#store.records('acme', 'shipment', [id])).get(id) ?? null
    const lost = this.#after(id, before, {
      seen: { ...worldShipment(id.charCodeAt(0)), note: `lost ${this.#now}` },
      settles: false,
    })
    const expectedVersion = before?.version ?? null
    const refused = write(sampleState('D'), { expectedVersion: 9 })
    const records = [write(lost, { expectedVersion, seenBefore: before?.seen ?? null }), refused]
    const events = [this.#eventOf(lost, before)]
    await expect(this.#store.commit(batch({ records, events }))).rejects.toMatchObject({ code: 'store_conflict' })
    const seen = { ...lost.seen, status: 'booked' }
    const state = this.#after(id, before, { seen, settles: false })
    const event = { ...this.#eventOf(state, before), before: lost.seen }
    const after = [write(state, { expectedVersion, seenBefore: lost.seen })]
    await this.#store.commit(batch({ records: after, events: [event], storedAt: this.#now }))
    this.#known.set(id, structuredClone(state))
    this.#keep(id, event)
  }

  #keep(record: string, { before, id, object }: EventDraft): void {
    this.#rung.push(structuredClone({ id, record, object, before }))
  }

  #next({ id, what }: Extract<VersionStep, { readonly do: 'change' }>, before: RecordState | null): JsonObject | null {
    const seen = before?.seen ?? worldShipment(id.charCodeAt(0))
    switch (what) {
      case 'field':
        return { ...seen, specific_instructions: `Ring ${this.#now} times.` }
      case 'nothing':
        return before?.seen ?? null
      case 'all':
        return { platform_shipment_id: id, lines: Array.from({ length: 40 }, (_, n) => (this.#now * 7919 * n) % 9973) }
      case 'back':
        return worldShipment(id.charCodeAt(0))
      default:
        return what satisfies never
    }
  }

  #after(id: string, before: RecordState | null, { seen, settles }: Next): RecordState {
    const old = before ?? sampleState(id, { seen: null, reported: null })
    const reported = settles ? old.reported : seen
    return { ...old, seen, reported, version: old.version + 1, lastRead: { sentAt: this.#now, answeredAt: this.#now } }
  }

  #eventOf(state: RecordState, before: RecordState | null): EventDraft {
    const subject = { resource: 'shipment', id: state.id, version: state.version, previousEventId: null } as const
    const shown = { object: state.seen, before: before?.reported ?? null, extras: {}, changes: null }
    return sampleEvent(`evt_${state.id}_${this.#now}`, { ...shown, subject, timestamp: this.#now })
  }

  /** What a receiver is sent is the event as it was rung. */
  async #send(amount: number): Promise<void> {
    const slots = new Map([['erp', amount]])
    const claimed = await this.#store.claim({ owner: 'one', now: this.#now, leaseMs: 1_000, slots })
    for (const { event, id } of claimed) {
      const { objectJson } = textsOf(event)
      const { object = null } = this.#rung.find((each) => each.id === event.id) ?? {}
      expect(objectJson && Buffer.from(objectJson).toString()).toBe(
        object === null ? undefined : JSON.stringify(object),
      )
      expect(event.object).toEqual(object)
      const attempt = success({ at: this.#now, durationMs: 0 })
      await this.#store.settle('one', [{ id, attempt, result: { kind: 'delivered' } }])
    }
  }

  async #expire(ago: number, limit: number): Promise<void> {
    const before = this.#now - ago * MINUTE_MS
    let after: SweepPlace | null = null
    do {
      const swept: Awaited<ReturnType<Store['expirePayloads']>> = await this.#store.expirePayloads({
        before,
        now: this.#now,
        after,
        limit,
      })
      after = swept.end
    } while (after !== null)
  }

  async #lookAtAll(): Promise<void> {
    for (const id of this.#known.keys()) await this.#look(id)
  }

  async #look(record: string): Promise<void> {
    const { reported, seen } = this.#known.get(record) ?? {}
    const state = (await this.#store.records('acme', 'shipment', [record])).get(record)
    expectSame({ reported: state?.reported, seen: state?.seen }, { reported, seen })
    for (const { before, id, object } of this.#rung.filter((each) => each.record === record)) {
      const event = await this.#store.event(id)
      if (event?.expiredAt === null) expectSame({ object: event.object, before: event.before }, { object, before })
    }
  }
}

/** What is the same is told without the matcher, which takes longer than the store it looks at. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
