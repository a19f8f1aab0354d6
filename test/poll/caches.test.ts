import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { onlyShipments } from './known-shipments.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

function emitted(events: readonly ShipbellEvent[]): readonly string[] {
  return events.map(({ type, subject }) => `${type} ${subject.id}`)
}

/** One shipment whose name changed to B, a quarter of an hour after it was first read. */
async function renamed(): Promise<Polling> {
  const polling = new Polling(onlyShipments)
  polling.platform.shipments = [shipment('SHP-1', { name: 'A' })]
  await polling.pass()
  await polling.clock.advance(15 * MINUTE)
  polling.platform.shipments = [shipment('SHP-1', { name: 'B' })]
  expect(emitted(await polling.pass())).toEqual(['shipment.updated SHP-1'])
  return polling
}

async function nameOf(polling: Polling, id = 'SHP-1'): Promise<unknown> {
  return (await polling.store.records('acme', 'shipment', [id])).get(id)?.seen?.['name']
}

describe('copies from a cache', () => {
  test('A→B→A: one that was made before the change rings nothing, and neither does what comes after it', async () => {
    await using polling = await renamed()
    const { platform } = polling
    for (let round = 0; round < 5; round += 1) {
      platform.shipments = [shipment('SHP-1', { name: 'A' })]
      platform.ageMs = () => 10 * MINUTE
      expect(await polling.pass()).toEqual([])
      expect(await nameOf(polling)).toBe('B')
      platform.shipments = [shipment('SHP-1', { name: 'B' })]
      platform.ageMs = () => 0
      expect(await polling.pass()).toEqual([])
    }
    platform.shipments = [shipment('SHP-1', { name: 'A' })]
    expect(emitted(await polling.pass())).toEqual(['shipment.updated SHP-1'])
  })

  test('a copy that was made since the last read is as good as any', async () => {
    await using polling = await renamed()
    await polling.clock.advance(2 * MINUTE)
    polling.platform.shipments = [shipment('SHP-1', { name: 'C' })]
    polling.platform.ageMs = () => 30 * SECOND
    const [event] = await polling.pass()
    const arrivedAt = polling.clock.now()
    expect(event).toMatchObject({
      type: 'shipment.updated',
      timestamp: arrivedAt,
      observed: { notAfter: arrivedAt, notBefore: arrivedAt - 2 * MINUTE - SECOND },
    })
    expect(polling.lines.at(-1)).toMatchObject({ msg: 'poll.completed', complete: true })
  })

  test(
    'what comes old all the time is told all the same: each copy is newer than the one before',
    { tags: 'long' },
    async () => {
      await using polling = await renamed()
      polling.platform.ageMs = () => 10 * MINUTE
      const rang: string[] = []
      for (let minute = 0; minute < 40; minute += 2) {
        polling.platform.shipments = [shipment('SHP-1', { name: `at ${minute}` })]
        rang.push(...emitted(await polling.pass()))
        await polling.clock.advance(2 * MINUTE)
      }
      // The first ten minutes show what was before the last change.
      expect(rang.length).toBeGreaterThanOrEqual(14)
      expect(await nameOf(polling)).toBe('at 38')
    },
  )

  test('one that lacks a record removes nothing, however often it comes; the pass is said to be incomplete', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.shipments = shipments(5)
    await polling.pass()
    platform.shipments = shipments(4)
    platform.hides = (what) => what === 'shipment/SHP-5'
    platform.ageMs = () => 10 * MINUTE
    for (let round = 0; round < 8; round += 1) expect(await polling.pass()).toEqual([])
    expect((await polling.store.known('acme', 'shipment', ['SHP-5'])).get('SHP-5')).toMatchObject({ misses: 0 })
    expect(polling.lines.at(-1)).toMatchObject({
      msg: 'poll.completed',
      complete: false,
      reason: expect.stringContaining('copies up to 10m old'),
    })
    platform.ageMs = () => 0
    await polling.pass()
    expect(emitted(await polling.pass())).toEqual(['shipment.removed SHP-5'])
  })

  test('a 404 that is older than the last look at a record proves nothing', async () => {
    await using polling = new Polling(onlyShipments)
    const { platform } = polling
    platform.shipments = shipments(5)
    await polling.pass()
    platform.shipments = shipments(4)
    platform.hides = (what) => what === 'shipment/SHP-5'
    platform.ageMs = (what) => (what.startsWith('shipment/') ? HOUR : 0)
    for (let round = 0; round < 4; round += 1) expect(await polling.pass()).toEqual([])
    platform.ageMs = () => 0
    expect(emitted(await polling.pass())).toEqual(['shipment.removed SHP-5'])
  })

  test('a clock that was set back makes no copy old', async () => {
    await using polling = await renamed()
    polling.clock.jump(polling.clock.now() - 5 * HOUR)
    polling.platform.shipments = [shipment('SHP-1', { name: 'C' })]
    expect(emitted(await polling.pass())).toEqual(['shipment.updated SHP-1'])
    expect(polling.lines.at(-1)).toMatchObject({ complete: true })
  })

  test('do not hasten the next pass', { tags: 'long' }, async () => {
    await using polling = new Polling(
      { watch: { shipments: { ...WATCH.shipments, everyMs: 5 * MINUTE } } },
      NO_CLOCK_IS_SET,
    )
    polling.platform.shipments = shipments(3)
    await polling.pass()
    polling.platform.ageMs = () => 20 * MINUTE
    const startedAt = polling.lines.length
    await polling.run(HOUR)
    const passes = polling.lines.slice(startedAt).filter(({ msg }) => msg === 'poll.completed')
    expect(passes.length).toBeLessThan(16)
    expect(passes.some(({ complete }) => complete === true)).toBe(true)
    expect(passes.some(({ complete }) => complete === false)).toBe(true)
  })

  test('of an item are not applied over what came later, and hold up nothing', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments, tracking: WATCH.tracking } })
    const { platform } = polling
    platform.shipments = shipments(2)
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
    platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Loaded'))
    await polling.pass()
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded', 'Sailed'))
    expect(emitted(await polling.pass())).toEqual(['tracking.event_added SHP-1'])
    platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Loaded'))
    platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Loaded', 'Sailed'))
    platform.ageMs = (what) => (what === 'tracking/SHP-1' ? 10 * MINUTE : 0)
    expect(emitted(await polling.pass())).toEqual(['tracking.event_added SHP-2'])
    expect(await polling.pass()).toEqual([])
  })
})

const PAID_AT = Date.UTC(2026, 10, 21, 23, 50)

function dueInvoice(reference: string, status: string) {
  return { reference, type: 'invoice', status, due_date: '2026-11-22', lines: [] }
}

/** As a copy shows it that was made then. */
function paidInvoice(madeAt: number) {
  return dueInvoice('PAID', madeAt >= PAID_AT ? 'paid' : 'available')
}

test(
  'an invoice is not verified by a copy from before its list was read: the next complete pass decides',
  { tags: 'long' },
  async () => {
    await using polling = new Polling(
      {
        budget: { requests: 2, perMs: MINUTE, concurrency: 1, share: 1 },
        watch: { invoices: { everyMs: 10 * MINUTE, ignore: [], dueSoonMs: [] } },
      },
      NO_CLOCK_IS_SET,
    )
    const { clock, platform } = polling
    await clock.advance(15 * HOUR)
    platform.invoices = [paidInvoice(clock.now()), dueInvoice('OPEN', 'available')]
    await polling.run(HOUR / 2)
    platform.ageMs = (what) => (what.startsWith('invoice/') ? 60 : 12) * MINUTE
    platform.trouble = () => {
      platform.invoices = [paidInvoice(clock.now() - 12 * MINUTE), dueInvoice('OPEN', 'available')]
      platform.found.set('invoice/PAID', paidInvoice(clock.now() - 60 * MINUTE))
      return null
    }
    await polling.run(2 * HOUR)
    const rang = (await polling.events()).filter(({ subject }) => subject.resource === 'invoice')
    expect(emitted(rang)).toEqual(['invoice.status_changed PAID', 'invoice.due OPEN'])
  },
)
