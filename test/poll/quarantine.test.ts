import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { Json } from '../../src/model/json.ts'
import type { Row } from '../../src/platform/outcome.ts'
import type { Trouble } from '../support/trouble.ts'
import { Polling, shipment, shipments, trackingOf, WATCH } from './polling.ts'
import { baselined, onlyShipments } from './known-shipments.ts'

function emitted(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events.map(({ type, extras }) => [type, extras.id ?? null, extras.more ?? null])
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** The row, rejected for a reason that no other has. */
function rejectedAlone({ id, record }: Row): Row {
  const index = Number(id?.slice(4))
  const reason = `too ${LETTERS.at(index % 26)}${LETTERS.at(Math.floor(index / 26))}`
  return { kind: 'rejected', id, reason, record }
}

/** A row nested 100,000 levels deep. The getter hides it from the fake platform, which writes its pages as text. */
class NestedRow {
  readonly kind = 'rejected'
  readonly id = null
  readonly reason = 'too deep'

  get record(): Json {
    return JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  }
}

/** The row, rejected where it is among the first ones. */
function unreadable(row: Row, amount: number): Row {
  const { id, record } = row
  if (Number(id?.slice(4)) > amount) return row
  return { kind: 'rejected', id, reason: `/cargo/${id?.slice(4)} should be an object, but is "${id}".`, record }
}

function brokenTracking(what: string): Trouble | null {
  return what === 'tracking/SHP-1' ? { kind: 'rejected' } : null
}

describe('a record that cannot be understood (guarantee D8)', () => {
  test('rings once for its reason, also across a restart, and again after it was understood', async () => {
    await using polling = await baselined(3)
    polling.platform.rejects = (id) => id === 'SHP-2'
    const [event] = await polling.pass()
    expect(event).toMatchObject({
      type: 'account.record_rejected',
      subject: { resource: 'account', id: 'acme' },
      extras: { resource: 'shipments', id: 'SHP-2', reason: 'not understood', more: 0, at: '2026-11-21T08:00:02.000Z' },
    })
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
    polling.platform.rejects = () => false
    expect(await polling.pass()).toEqual([])
    polling.platform.rejects = (id) => id === 'SHP-2'
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'SHP-2', 0]])
  })

  test('keeps its last good reading, and tells the difference to it when it is understood again', async () => {
    await using polling = await baselined(3)
    polling.platform.rejects = (id) => id === 'SHP-2'
    polling.platform.shipments = shipments(3).map((each) => ({ ...each, status: 'finished' }))
    const during = await polling.pass()
    expect(during.map(({ type, subject }) => [type, subject.id])).toEqual([
      ['shipment.status_changed', 'SHP-1'],
      ['shipment.status_changed', 'SHP-3'],
      ['account.record_rejected', 'acme'],
    ])
    polling.platform.rejects = () => false
    const after = await polling.pass()
    expect(after).toMatchObject([
      { type: 'shipment.status_changed', subject: { id: 'SHP-2' }, before: { status: 'booked' } },
    ])
  })

  test('rings at the baseline too, whether or not it has an id', async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = [shipment('SHP-1'), { name: 'nobody' }, shipment('SHP-2'), { name: 'nobody else' }]
    polling.platform.rejects = (id) => id === 'SHP-2'
    expect(emitted(await polling.pass())).toEqual([
      ['account.record_rejected', null, 1],
      ['account.record_rejected', 'SHP-2', 0],
      ['account.baseline_completed', null, null],
    ])
    expect(await polling.pass()).toEqual([])
    polling.platform.shipments = [shipment('SHP-1'), shipment('SHP-2')]
    await polling.pass()
    polling.platform.shipments.push({ name: 'nobody' })
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', null, 0]])
  })

  test('rings at most twenty times in a pass, and once more for the rest', { tags: 'long' }, async () => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(250)
    await polling.pass()
    polling.platform.retouch = (page) => ({ ...page, rows: page.rows.map(rejectedAlone) })
    const rung = await polling.pass()
    expect(rung).toHaveLength(21)
    expect(emitted(rung).slice(-2)).toEqual([
      ['account.record_rejected', 'SHP-20', 0],
      ['account.record_rejected', 'SHP-21', 229],
    ])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
  })

  test.each([
    ['ten ring one by one', 10, Array.from({ length: 10 }, () => 1)],
    ['eleven ring once', 11, [11]],
    ['many ring once, over several pages', 150, [150]],
  ])('of one reason, whatever was found: %s', async (_, amount, counts) => {
    await using polling = new Polling(onlyShipments)
    polling.platform.shipments = shipments(160)
    await polling.pass()
    polling.platform.retouch = (page) => ({ ...page, rows: page.rows.map((row) => unreadable(row, amount)) })
    const rung = await polling.pass()
    expect(rung.map(({ extras }) => extras.count)).toEqual(counts)
    const sample = shipments(Math.min(counts[0] ?? 0, 20)).map((each) => each.platform_shipment_id)
    expect(rung[0]?.extras).toMatchObject({ id: 'SHP-1', sample })
    await polling.restart()
    expect(await polling.pass()).toEqual([])
  })

  test('may be nested too deep to be written as text', async () => {
    await using polling = await baselined(3)
    polling.platform.retouch = (page) =>
      page.rows.length === 0 ? page : { ...page, rows: [...page.rows, new NestedRow()] }
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', null, 0]])
    expect(await polling.pass()).toEqual([])
  })

  test('without an id each counts', async () => {
    await using polling = await baselined(3)
    polling.platform.shipments.push(...Array.from({ length: 12 }, () => ({ name: 'nobody' })))
    expect((await polling.pass()).map(({ extras }) => [extras.count, extras.sample])).toEqual([[12, []]])
    expect(await polling.pass()).toEqual([])
  })

  test('stands where a page shows it twice, once of them sound', async () => {
    await using polling = await baselined(3)
    polling.platform.retouch = (page) => {
      const bad = { kind: 'rejected', id: 'SHP-1', reason: 'half written', record: {} } as const
      return { ...page, rows: [...page.rows, bad] }
    }
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'SHP-1', 0]])
    expect(await polling.pass()).toEqual([])
  })

  test.each(['\ud800', '\u0000x', '__proto__', 'x'.repeat(2_000)])('rings once whatever it holds: %j', async (text) => {
    await using polling = await baselined(3)
    polling.platform.retouch = (page) => {
      const bad = {
        kind: 'rejected',
        id: text,
        reason: `/name should be a text, but is "${text}".`,
        record: {},
      } as const
      return { ...page, rows: [...page.rows, bad] }
    }
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['account.record_rejected'])
    expect(await polling.pass()).toEqual([])
  })

  test('rings no more after twenty reasons', { tags: 'long' }, async () => {
    await using polling = await baselined(3)
    let asked = 0
    polling.platform.retouch = (page) => {
      asked += 1
      return { ...page, rows: [{ kind: 'rejected', id: 'SHP-1', reason: `reason ${asked}`, record: {} }] }
    }
    for (let pass = 0; pass < 25; pass += 1) await polling.pass()
    expect((await polling.types()).filter((type) => type === 'account.record_rejected')).toHaveLength(20)
  })

  test('rings for what is read item by item as well', { tags: 'long' }, async () => {
    await using polling = new Polling()
    polling.platform.shipments = shipments(2)
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    polling.platform.trouble = brokenTracking
    const [event, ...others] = await polling.pass()
    expect(event?.extras).toMatchObject({ resource: 'tracking', id: 'SHP-1', reason: 'the record cannot be used' })
    expect(others).toEqual([])
    expect(await polling.pass()).toEqual([])
    polling.platform.trouble = () => null
    expect(await polling.pass()).toEqual([])
    polling.platform.trouble = brokenTracking
    expect(emitted(await polling.pass())).toEqual([['account.record_rejected', 'SHP-1', 0]])
  })

  test('rings for the fetch by id that is to prove a removal, once, whatever the list shows of others', async () => {
    await using polling = await baselined(3)
    polling.platform.shipments = shipments(2)
    polling.platform.trouble = (what) => (what === 'shipment/SHP-3' ? { kind: 'rejected' } : null)
    await polling.pass()
    const [event, ...others] = await polling.pass()
    expect(event?.extras).toMatchObject({ resource: 'shipments', id: 'SHP-3', reason: 'the record cannot be used' })
    expect(others).toEqual([])
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
  })

  test(
    'rings for the fetch by id that is to verify an invoice, once, although its row is understood',
    { tags: 'long' },
    async () => {
      const invoice = { reference: 'INV-1', type: 'invoice', status: 'available', due_date: '2026-11-22', lines: [] }
      await using polling = new Polling({ watch: { invoices: WATCH.invoices } })
      polling.platform.invoices = [invoice]
      await polling.pass()
      polling.platform.trouble = (what) => (what === 'invoice/INV-1' ? { kind: 'rejected' } : null)
      await polling.clock.advance(20 * 3_600_000)
      for (let pass = 0; pass < 3; pass += 1) await polling.pass()
      await polling.restart()
      await polling.run(600_000)
      const rejected = (await polling.events()).filter(({ type }) => type === 'account.record_rejected')
      expect(rejected.map(({ extras }) => [extras.resource, extras.id])).toEqual([['invoices', 'INV-1']])
    },
  )
})

describe('a due date that cannot be read (guarantee D8)', () => {
  const invoice = { reference: 'INV-1', type: 'invoice', status: 'available', due_date: '2026-11-24', lines: [] }
  const other = { ...invoice, reference: 'INV-2', due_date: '2027-06-01' }

  async function known(): Promise<Polling> {
    const polling = new Polling({ watch: { invoices: WATCH.invoices } })
    polling.platform.invoices = [invoice, other]
    await polling.pass()
    return polling
  }

  test('is told once, also over a restart, while its record is followed and the last date that could be read holds', async () => {
    await using polling = await known()
    polling.platform.invoices = [{ ...invoice, due_date: '24/11/2026' }, other]
    const [changed, rejected, ...others] = await polling.pass()
    expect(others).toEqual([])
    expect(changed).toMatchObject({ type: 'invoice.due_date_changed', extras: { to: '24/11/2026' } })
    expect(rejected).toMatchObject({
      type: 'account.record_rejected',
      extras: { resource: 'invoices', id: 'INV-1', reason: expect.stringContaining('but is "24/11/2026"') },
    })
    expect(await polling.pass()).toEqual([])
    polling.platform.invoices = [
      { ...invoice, due_date: '24/11/2026' },
      { ...other, number: '2' },
    ]
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['invoice.updated'])
    await polling.restart()
    expect(await polling.pass()).toEqual([])
    polling.platform.invoices = [{ ...invoice, due_date: '24/11/2026', number: '1' }, other]
    expect((await polling.pass()).map(({ type }) => type)).toEqual(['invoice.updated', 'invoice.updated'])
    await polling.clock.advance(4 * 86_400_000)
    const rang = await polling.pass()
    expect(rang.map(({ type, extras }) => [type, extras.due_date])).toEqual([
      ['invoice.due', '2026-11-24'],
      ['invoice.overdue', '2026-11-24'],
    ])
  })

  test('is told again for another one, and after one that could be read', async () => {
    await using polling = await known()
    const passWith = async (due_date: string | number): Promise<readonly string[]> => {
      polling.platform.invoices = [{ ...invoice, due_date }, other]
      return (await polling.pass()).map(({ type }) => type)
    }
    expect(await passWith(1_795_651_200)).toEqual(['invoice.due_date_changed', 'account.record_rejected'])
    expect(await passWith('soon')).toEqual(['invoice.due_date_changed', 'account.record_rejected'])
    expect(await passWith('2026-11-24T00:00:00Z')).toEqual(['invoice.due_date_changed'])
    expect(await passWith('2026-11-24')).toEqual([])
    expect(await passWith('soon')).toEqual(['invoice.due_date_changed', 'account.record_rejected'])
  })

  test('of many invoices is told once for all', async () => {
    await using polling = await known()
    polling.platform.invoices = Array.from({ length: 15 }, (_, at) => ({
      ...invoice,
      reference: `INV-${at + 1}`,
      due_date: `${at + 1}/12/2026`,
    }))
    const types = (await polling.pass()).map(({ type }) => type)
    expect(types.filter((type) => type === 'account.record_rejected')).toHaveLength(1)
    expect(types.filter((type) => type === 'invoice.created')).toHaveLength(13)
  })
})
