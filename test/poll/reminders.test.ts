import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RemindSettings } from '../../src/model/reminder.ts'
import { success } from '../store/samples.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'
import { subscription } from '../support/subscription.ts'
import { NO_CLOCK_IS_SET, Polling, WATCH } from './polling.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HOURLY: RemindSettings = { everyMs: HOUR, of: ['invoice.overdue'] }
const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 21, 23, 55)
const MINUTE = 60_000

function invoice(fields: JsonObject = {}): JsonObject {
  const record = { reference: 'INV-1', platform_shipment_id: 'SHP-1', type: 'invoice', status: 'due' }
  return { ...record, due_date: '2026-11-21', ...fields }
}

/** A shipment whose last two dates have this status. */
function shipment(status: string): JsonObject {
  const date = { date: '2026-12-12T10:00:00Z', status }
  const main_tracking_dates = { arrival_date: date, delivery_date: date }
  return { platform_shipment_id: 'SHP-1', status: 'in_progress', main_tracking_dates }
}

/** An invoice that falls overdue at midnight, and two subscriptions, of which one is reminded. */
class Reminded {
  readonly polling: Polling

  constructor(watch: AccountSettings['watch'] = { invoices: { ...WATCH.invoices, everyMs: HOUR / 2 } }) {
    this.polling = new Polling({ watch }, NO_CLOCK_IS_SET)
  }

  static async open(remind: RemindSettings | null = HOURLY): Promise<Reminded> {
    const opened = new Reminded()
    const { polling } = opened
    polling.subscriptions = [
      subscription('ap', { events: ['invoice.*'], remind }),
      subscription('erp', { events: ['invoice.*'] }),
    ]
    const names = polling.subscriptions.map(({ name, enabled }) => ({ name, enabled }))
    await polling.store.syncSubscriptions(names, polling.clock.now())
    polling.platform.invoices = [invoice()]
    await polling.pass()
    await polling.clock.advance(BEFORE_MIDNIGHT - polling.clock.now())
    await polling.run(10 * MINUTE)
    return opened
  }

  /** Delivers all that is due to these subscriptions. */
  async deliver(names: readonly string[] = ['ap', 'erp']): Promise<void> {
    const { clock, store } = this.polling
    const slots = new Map(names.map((name) => [name, 50]))
    const rows = await store.claim({ owner: 'one', now: clock.now(), leaseMs: 1_000, slots })
    const attempt = success({ at: clock.now() })
    await store.settle(
      'one',
      rows.map(({ id }) => ({ id, attempt, result: { kind: 'delivered' } })),
    )
  }

  /** The reminders of a subscription, the oldest first. */
  async told(name = 'ap') {
    const { store } = this.polling
    const rows = (await deliveriesOf(store, { subscription: name })).toReversed()
    const events = await Promise.all(rows.map(async ({ eventId }) => await store.event(eventId)))
    return events.filter((event) => event?.cause === 'reminder')
  }

  async hours(amount: number): Promise<void> {
    await this.polling.run(amount * HOUR)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.polling[Symbol.asyncDispose]()
  }
}

describe('an open exception is told again', () => {
  test('to who was sent it, step by step, at its own time and under ids of their own', async () => {
    await using reminded = await Reminded.open()
    await reminded.deliver()
    await reminded.hours(2)
    await reminded.deliver()
    const [opening] = await eventsOf(reminded.polling.store, { limit: 9, types: ['invoice.overdue'] })
    const told = await reminded.told()
    expect(told.map((event) => event?.extras)).toMatchObject([
      { reminder: 1, days_overdue: 1, due_date: '2026-11-21' },
      { reminder: 2, days_overdue: 1, due_date: '2026-11-21' },
    ])
    const subject = { resource: 'invoice', id: 'INV-1', previousEventId: opening?.id }
    expect(told[0]).toMatchObject({ type: 'invoice.overdue', account: 'acme', subject, object: { status: 'due' } })
    expect(new Set([opening?.id, ...told.map((event) => event?.id)]).size).toBe(3)
    expect(told.map((event) => (event?.timestamp ?? 0) - (opening?.timestamp ?? 0))).toEqual([HOUR, 2 * HOUR])
    expect(await reminded.told('erp')).toEqual([])
  })

  test('and is in no list of events, moves no sequence and no version', async () => {
    await using reminded = await Reminded.open()
    await reminded.deliver()
    const { store } = reminded.polling
    const before = [
      await eventsOf(store, { limit: 50 }),
      (await store.accounts(0)).map(({ lastSequence }) => lastSequence),
    ]
    await reminded.hours(2)
    expect(await reminded.told()).toHaveLength(2)
    const after = [
      await eventsOf(store, { limit: 50 }),
      (await store.accounts(0)).map(({ lastSequence }) => lastSequence),
    ]
    expect(after).toEqual(before)
    const { events } = await store.logPage({ since: 0, after: null, limit: 100 })
    expect(events.filter(({ event }) => event.cause === 'reminder')).toEqual([])
    expect(
      (await store.deliveries((await deliveriesOf(store, { subscription: 'ap' })).map(({ id }) => id))).length,
    ).toBe(3)
  })

  test('not where it was not delivered yet, nor while it is acknowledged, nor once it closed', async () => {
    await using reminded = await Reminded.open()
    await reminded.hours(1.5)
    expect(await reminded.told()).toEqual([])
    await reminded.deliver()
    const { clock, platform, store } = reminded.polling
    const [{ id } = { id: '' }] = (await store.exceptionPage({ now: clock.now(), limit: 1 })).items
    await store.acknowledge(id, { by: 'cli', at: clock.now(), note: null, until: clock.now() + 2 * HOUR })
    await reminded.hours(2)
    expect(await reminded.told()).toEqual([])
    await reminded.hours(1)
    expect(await reminded.told()).toHaveLength(1)
    platform.invoices = [invoice({ status: 'paid' })]
    await reminded.hours(3)
    expect(await reminded.told()).toHaveLength(1)
  })

  test('to nobody who was not sent it, though another is told at the same time', async () => {
    await using reminded = await Reminded.open()
    const { polling } = reminded
    polling.subscriptions = ['ap', 'erp'].map((name) => subscription(name, { events: ['invoice.*'], remind: HOURLY }))
    await reminded.deliver(['ap'])
    await reminded.hours(2)
    expect(await reminded.told('ap')).toHaveLength(2)
    expect(await reminded.told('erp')).toEqual([])
  })

  test('not while it is acknowledged, though another of its record is told', async () => {
    const watch = { shipments: { ...WATCH.shipments, everyMs: HOUR / 2 } }
    await using reminded = new Reminded(watch)
    const { clock, platform, store } = reminded.polling
    const remind: RemindSettings = { everyMs: HOUR, of: ['shipment.problem_reported'] }
    reminded.polling.subscriptions = [subscription('ap', { events: ['shipment.*'], remind })]
    await store.syncSubscriptions([{ name: 'ap', enabled: true }], clock.now())
    platform.shipments = [shipment('estimated')]
    await reminded.polling.pass()
    platform.shipments = [shipment('problem')]
    await reminded.hours(1)
    await reminded.deliver(['ap'])
    const { items } = await store.exceptionPage({ now: clock.now(), limit: 9 })
    const arrival = items.find(({ milestone }) => milestone === 'arrival')
    await store.acknowledge(arrival?.id ?? '', { by: 'cli', at: clock.now(), note: null, until: null })
    await reminded.hours(3)
    const told = (await reminded.told()).map((event) => event?.extras['date_change'])
    expect(items).toHaveLength(2)
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(told.map(() => expect.objectContaining({ milestone: 'delivery' })))
  })

  test('not while its invoice is suspended', async () => {
    await using reminded = await Reminded.open()
    await reminded.deliver()
    reminded.polling.platform.invoices = [invoice({ status: 'litigious' })]
    await reminded.hours(2)
    expect(await reminded.told()).toEqual([])
    reminded.polling.platform.invoices = [invoice()]
    await reminded.hours(1)
    expect(await reminded.told()).toHaveLength(1)
  })

  test('once for all that were missed, over a restart, and only after a read', async () => {
    await using reminded = await Reminded.open()
    await reminded.deliver()
    const { clock, platform } = reminded.polling
    await clock.advance(5 * HOUR)
    await reminded.polling.restart()
    await reminded.polling.run(0.1 * HOUR)
    expect((await reminded.told()).map((event) => event?.extras['reminder'])).toEqual([1])
    await clock.advance(5 * HOUR)
    platform.invoices = [invoice({ status: 'paid' })]
    await reminded.polling.restart()
    await reminded.hours(1)
    expect(await reminded.told()).toHaveLength(1)
  })

  test('once for all that were due while its endpoint was disabled by command', async () => {
    await using reminded = await Reminded.open()
    await reminded.deliver()
    const { clock, store } = reminded.polling
    await store.disable('ap', { reason: 'by command', at: clock.now() })
    await reminded.hours(5)
    expect(await reminded.told()).toEqual([])
    await store.enable('ap', { at: clock.now(), discard: false })
    await reminded.hours(1)
    expect((await reminded.told()).map((event) => event?.extras['reminder'])).toEqual([1])
  })

  test('although many of what cannot be read are due before it', async () => {
    await using polling = new Polling(
      {
        watch: {
          invoices: { ...WATCH.invoices, everyMs: HOUR / 4 },
          shipments: { ...WATCH.shipments, everyMs: 5 * MINUTE },
        },
      },
      NO_CLOCK_IS_SET,
    )
    const remind = { everyMs: HOUR, of: ['invoice.overdue', 'shipment.problem_reported'] } as const
    polling.subscriptions = [subscription('ap', { events: ['*'], remind })]
    await polling.store.syncSubscriptions([{ name: 'ap', enabled: true }], polling.clock.now())
    const shipment = { platform_shipment_id: 'SHP-1', status: 'in_progress' }
    const ofInvoices = Array.from({ length: 51 }, (_, index) => invoice({ reference: `INV-${index}` }))
    polling.platform.invoices = ofInvoices
    polling.platform.shipments = [shipment]
    await polling.pass()
    await polling.clock.advance(BEFORE_MIDNIGHT - polling.clock.now())
    await polling.run(16 * MINUTE)
    const date = { date: '2026-12-30T08:00:00Z', status: 'problem' }
    polling.platform.shipments = [{ ...shipment, main_tracking_dates: { delivery_date: date } }]
    await polling.run(6 * MINUTE)
    const rows = await polling.store.claim({
      owner: 'one',
      now: polling.clock.now(),
      leaseMs: 1_000,
      slots: new Map([['ap', 99]]),
    })
    const attempt = success({ at: polling.clock.now() })
    await polling.store.settle(
      'one',
      rows.map(({ id }) => ({ id, attempt, result: { kind: 'delivered' } })),
    )
    polling.platform.trouble = (what) => (what.startsWith('invoice') ? { kind: 'broken' } : null)
    await polling.run(HOUR + MINUTE)
    const sent = await deliveriesOf(polling.store, { subscription: 'ap' })
    const events = await Promise.all(sent.map(async ({ eventId }) => await polling.store.event(eventId)))
    expect(events.filter((event) => event?.cause === 'reminder').map((event) => event?.type)).toEqual([
      'shipment.problem_reported',
    ])
  })

  test('to a subscription that asks for it only later, and no more to one that no longer does', async () => {
    await using reminded = await Reminded.open(null)
    await reminded.deliver()
    await reminded.hours(1.5)
    expect(await reminded.told()).toEqual([])
    const { polling } = reminded
    polling.subscriptions = [subscription('ap', { events: ['invoice.*'], remind: HOURLY })]
    await reminded.hours(1)
    expect((await reminded.told()).map((event) => event?.extras['reminder'])).toEqual([1])
    polling.subscriptions = [subscription('ap', { events: ['invoice.*'] })]
    await reminded.hours(2)
    expect(await reminded.told()).toHaveLength(1)
  })
})

test('what is open of a shipment closes once it has been finished for a day', async () => {
  await using polling = new Polling(
    { watch: { shipments: { ...WATCH.shipments, everyMs: HOUR / 2 } } },
    NO_CLOCK_IS_SET,
  )
  const late = { main_tracking_dates: { delivery_date: { date: '2026-12-30T08:00:00Z', status: 'problem' } } }
  const shipment = { platform_shipment_id: 'SHP-1', status: 'in_progress', ...late }
  polling.platform.shipments = [shipment]
  await polling.pass()
  polling.platform.shipments = [{ ...shipment, status: 'finished' }]
  await polling.run(HOUR)
  const listed = async () => (await polling.store.exceptionPage({ now: polling.clock.now(), limit: 9 })).items
  expect(await listed()).toMatchObject([{ type: 'shipment.problem_reported', closedAt: null }])
  await polling.clock.advance(DAY - 2 * HOUR)
  await polling.run(HOUR / 2)
  expect(await listed()).toMatchObject([{ closedAt: null }])
  await polling.run(HOUR)
  expect(await listed()).toMatchObject([{ closedBy: 'finished' }])
})
