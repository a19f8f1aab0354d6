import { describe, expect, test } from 'vitest'
import { createLogger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { newSnapshotRun } from '../../src/model/snapshot-run.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { SnapshotLoop } from '../../src/poll/snapshots/snapshot-loop.ts'
import { filter } from '../route/samples.ts'
import { success } from '../store/samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { subscription } from '../support/subscription.ts'
import { idOf, NO_CLOCK_IS_SET, Polling, shipment, shipments, WATCH } from './polling.ts'

const HOUR = 3_600_000
const SHIPMENTS = { watch: { shipments: WATCH.shipments } } as const
const log = createLogger({ level: 'error', pretty: false, colour: false, secrets: () => [], write: () => undefined })

/** An account whose shipments are known, and a subscription that a run begins for. */
class Started implements AsyncDisposable {
  readonly polling: Polling
  readonly subscription: Subscription
  loop: SnapshotLoop

  private constructor(settings: Partial<AccountSettings>, about: Partial<Subscription>) {
    this.polling = new Polling({ ...SHIPMENTS, ...settings }, NO_CLOCK_IS_SET)
    this.subscription = subscription('erp', about)
    this.polling.subscriptions = [this.subscription]
    this.loop = this.#loop()
  }

  static async open(
    records: JsonObject[],
    { about = {}, settings = {} }: { about?: Partial<Subscription>; settings?: Partial<AccountSettings> } = {},
  ): Promise<Started> {
    const started = new Started(settings, about)
    const { clock, platform, store } = started.polling
    platform.shipments = records
    await store.syncSubscriptions(started.polling.subscriptions, clock.now())
    await started.polling.pass()
    return started
  }

  /** What a process that starts now has in place of the loop. */
  async restart(): Promise<void> {
    await this.polling.restart()
    this.loop = this.#loop()
  }

  #loop(): SnapshotLoop {
    const { polling } = this
    return new SnapshotLoop({
      store: polling.store,
      clock: polling.clock,
      log,
      subscriptions: () => polling.subscriptions,
      accounts: () => [polling.poller.account],
      polled: () => [polling.poller.snapshots],
      isInForce: () => true,
      processes: () => 1,
    })
  }

  async begin(): Promise<void> {
    const { clock, store } = this.polling
    expect(await store.beginSnapshot(newSnapshotRun('erp', clock.now()))).toBeNull()
  }

  async run(ms: number): Promise<void> {
    const stop = new AbortController()
    const running = this.loop.run(stop.signal)
    await this.polling.clock.advance(ms)
    stop.abort()
    await running
  }

  /** Delivers all that is due; resolves to how many rows that were. */
  async deliver(): Promise<number> {
    const { clock, store } = this.polling
    const slots = new Map([['erp', 1_000]])
    const rows = await store.claim({ owner: 'one', now: clock.now(), leaseMs: 1_000, slots })
    const attempt = success({ at: clock.now() })
    const results = rows.map(({ id }) => ({ id, attempt, result: { kind: 'delivered' } as const }))
    await store.settle('one', results)
    return rows.length
  }

  /** The snapshots that were made, the oldest first. */
  async snapshots() {
    const { store } = this.polling
    const rows = (await deliveriesOf(store, { subscription: 'erp' })).toReversed()
    const events = await Promise.all(rows.map(async ({ eventId }) => await store.event(eventId)))
    return events.filter((event) => event !== null).filter(({ cause }) => cause === 'snapshot')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.polling[Symbol.asyncDispose]()
  }
}

function arriving(day: number, fields: JsonObject = {}): JsonObject {
  const date = `2026-12-${day}T10:00:00Z`
  return shipment('SHP-1', { main_tracking_dates: { arrival_date: { date, status: 'estimated' } }, ...fields })
}

describe('a subscription that starts full', () => {
  test('is sent each record as events have reported it, under its version, and nothing of what is gone', async () => {
    await using started = await Started.open([arriving(10), shipment('SHP-2'), shipment('SHP-3')], {
      settings: { settleMs: 2 * HOUR },
    })
    const { polling } = started
    polling.platform.shipments = [arriving(12), shipment('SHP-2', { status: 'finished' })]
    for (let pass = 0; pass < 4; pass += 1) await polling.pass()
    await started.begin()
    await started.loop.settle(new AbortController().signal)
    const snapshots = await started.snapshots()
    expect(
      snapshots.map(({ object, subject, type }) => [type, subject.id, subject.version, object?.['status']]),
    ).toEqual([
      ['shipment.snapshot', 'SHP-1', 0, 'booked'],
      ['shipment.snapshot', 'SHP-2', 1, 'finished'],
    ])
    expect(snapshots[0]).toMatchObject({
      object: arriving(10),
      subject: { previousEventId: null },
      shipment: { id: 'SHP-1' },
      changes: null,
    })
    const rang = (await polling.events()).find(({ type }) => type === 'shipment.status_changed')
    expect(snapshots[1]?.subject.previousEventId).toBe(rang?.id)
    const [run] = await polling.store.snapshotRuns({ which: 'last' })
    expect(run).toMatchObject({ parts: [{ sent: 2, leftOut: 0, endedAt: polling.clock.now() }] })
    expect(run?.endedAt).toBe(polling.clock.now())
  })

  test('has a place left for what rings, and goes on where a process before it was', async () => {
    await using started = await Started.open(shipments(11))
    await started.deliver()
    await started.begin()
    await started.run(5_000)
    expect(await started.deliver()).toBe(3)
    await started.run(1_000)
    await started.restart()
    await started.run(2_000)
    expect(await started.deliver()).toBe(3)
    for (let more = 0; more < 3; more += 1) {
      await started.run(1_000)
      await started.deliver()
    }
    const snapshots = await started.snapshots()
    expect(snapshots.map(({ subject }) => subject.id)).toEqual(shipments(11).map(idOf).toSorted())
    await started.run(2_000)
    expect(await started.polling.store.snapshotRuns({ which: 'under way' })).toEqual([])
  })

  test('waits for the baseline, and while its endpoint is shut', async () => {
    await using started = await Started.open([], { settings: { watch: {} } })
    const { polling } = started
    await polling.restart(SHIPMENTS)
    polling.platform.shipments = shipments(2)
    await started.restart()
    await started.begin()
    await started.run(3_000)
    expect(await started.snapshots()).toEqual([])
    await polling.pass()
    await polling.store.disable('erp', { reason: 'x', at: polling.clock.now() })
    await started.run(5_000)
    expect(await started.snapshots()).toEqual([])
    await polling.store.enable('erp', { at: polling.clock.now(), discard: false })
    await started.run(5_000)
    expect(await started.snapshots()).toHaveLength(2)
  })

  test('is sent what its filter lets pass, or fails on, which rings once', async () => {
    const about = { filter: filter('data.object.name != "Shipment SHP-2"') }
    await using left = await Started.open(shipments(3), { about })
    await left.begin()
    await left.loop.settle(new AbortController().signal)
    expect((await left.snapshots()).map(({ subject }) => subject.id)).toEqual(['SHP-1', 'SHP-3'])
    expect(await left.polling.store.snapshotRuns({ which: 'last' })).toMatchObject([
      { parts: [{ sent: 2, leftOut: 1 }] },
    ])

    const broken = { events: ['shipment.*'], filter: filter('data.object.name > 5') }
    await using failing = await Started.open(shipments(3), { about: broken })
    await failing.begin()
    await failing.loop.settle(new AbortController().signal)
    expect(await failing.snapshots()).toHaveLength(3)
    expect((await failing.polling.types()).filter((type) => type === 'endpoint.filter_failed')).toHaveLength(1)
  })

  test('compares dates with those of its snapshots', async () => {
    await using started = await Started.open([arriving(10)], { about: { minShiftMs: 60 * HOUR } })
    const { platform } = started.polling
    const sent = async (day: number): Promise<boolean> => {
      platform.shipments = [arriving(day)]
      const [event] = await started.polling.pass()
      const rows = await deliveriesOf(started.polling.store, { subscription: 'erp', eventId: event?.id ?? '' })
      return rows.length > 0
    }
    expect(await sent(12)).toBe(false)
    await started.begin()
    await started.loop.settle(new AbortController().signal)
    expect(await sent(13)).toBe(false)
    expect(await sent(9)).toBe(true)
  })
})
