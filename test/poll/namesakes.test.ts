import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, WATCH } from './polling.ts'

const DAY = 86_400_000
const INVOICES = { ...WATCH.invoices, dueSoonMs: [] }
const onlyInvoices = { watch: { invoices: INVOICES } }

function row(type: 'invoice' | 'credit_note', fields: JsonObject = {}): JsonObject {
  const due = type === 'invoice' ? { due_date: '2026-11-22' } : {}
  return { reference: 'R-7', platform_shipment_id: 'SHP-1', type, status: 'available', ...due, ...fields }
}

const INVOICE = row('invoice')
const CREDIT = row('credit_note')

function others(amount: number): JsonObject[] {
  return Array.from({ length: amount }, (_, index) => ({ reference: `INV-${index}`, type: 'invoice', status: 'paid' }))
}

function emitted(events: readonly ShipbellEvent[]): readonly string[] {
  return events.map(({ type, subject }) => `${type} ${subject.id}`)
}

async function baselined(invoices: readonly JsonObject[]): Promise<Polling> {
  const polling = new Polling(onlyInvoices)
  polling.platform.invoices = [...invoices]
  await polling.pass()
  return polling
}

async function ids(polling: Polling, ...wanted: string[]): Promise<Record<string, unknown>> {
  const states = await polling.store.records('acme', 'invoice', wanted)
  return Object.fromEntries(wanted.map((id) => [id, states.get(id)?.seen?.type ?? null]))
}

const BOTH = ['R-7', 'R-7#invoice', 'R-7#credit_note'] as const

describe('an invoice and a credit note of one reference', () => {
  test.each([
    ['the invoice first', [INVOICE, CREDIT]],
    ['the credit note first', [CREDIT, INVOICE]],
  ])('are two records of one page, of which the invoice keeps the reference: %s', async (_, rows) => {
    await using polling = await baselined(rows)
    expect(await ids(polling, ...BOTH)).toEqual({
      'R-7': 'invoice',
      'R-7#invoice': null,
      'R-7#credit_note': 'credit_note',
    })
    polling.platform.invoices = rows.toReversed()
    expect(await polling.pass()).toEqual([])
    polling.platform.invoices = [row('credit_note', { status: 'paid' }), row('invoice', { status: 'due' })]
    expect(emitted(await polling.pass()).toSorted()).toEqual([
      'credit_note.status_changed R-7#credit_note',
      'invoice.due R-7',
      'invoice.status_changed R-7',
    ])
    await polling.restart()
    polling.platform.invoices.reverse()
    expect(await polling.pass()).toEqual([])
  })

  test.each([
    ['on its page', 0],
    ['on an earlier page', 120],
  ])('who is known first keeps the reference; the other one comes later, %s', async (_, amount) => {
    await using polling = await baselined([...others(amount), CREDIT])
    polling.platform.invoices = [INVOICE, ...others(amount), CREDIT]
    expect(emitted(await polling.pass())).toEqual(['invoice.created R-7#invoice'])
    expect(await ids(polling, ...BOTH)).toEqual({
      'R-7': 'credit_note',
      'R-7#invoice': 'invoice',
      'R-7#credit_note': null,
    })
    for (const invoices of [
      [CREDIT, ...others(amount), INVOICE],
      [INVOICE, ...others(amount), CREDIT],
    ]) {
      polling.platform.invoices = invoices
      expect(await polling.pass()).toEqual([])
    }
  })

  test('of two pages that one pass shows are two records at once', async () => {
    await using polling = await baselined([INVOICE, ...others(120), CREDIT])
    expect(await ids(polling, ...BOTH)).toMatchObject({ 'R-7': 'invoice', 'R-7#credit_note': 'credit_note' })
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    expect((await polling.events()).filter(({ type }) => type === 'account.record_rejected')).toEqual([])
  })

  test('are one where the type of one record changes, back and forth', async () => {
    await using polling = await baselined([INVOICE, ...others(3)])
    polling.platform.invoices = [CREDIT, ...others(3)]
    expect((await polling.pass()).map(({ subject }) => subject.id)).toContain('R-7')
    polling.platform.invoices = [INVOICE, ...others(3)]
    expect((await polling.pass()).map(({ subject }) => subject.id)).toContain('R-7')
    expect(await ids(polling, ...BOTH)).toEqual({ 'R-7': 'invoice', 'R-7#invoice': null, 'R-7#credit_note': null })
  })

  test('stay two when one of them goes: three passes prove it, whatever a fetch shows of the other', async () => {
    await using polling = await baselined([INVOICE, CREDIT, ...others(8)])
    polling.platform.invoices = [CREDIT, ...others(8)]
    expect(await polling.pass()).toEqual([])
    expect(await polling.pass()).toEqual([])
    expect(emitted(await polling.pass())).toEqual(['invoice.removed R-7'])
    expect(polling.platform.asked.map(({ what }) => what)).toContain('invoice/R-7')
    polling.platform.invoices = [INVOICE, CREDIT, ...others(8)]
    expect(emitted(await polling.pass())).toEqual(['invoice.restored R-7'])
    polling.platform.invoices = [INVOICE, ...others(8)]
    expect(await polling.pass()).toEqual([])
    expect(await polling.pass()).toEqual([])
    expect(emitted(await polling.pass())).toEqual(['credit_note.removed R-7#credit_note'])
    polling.platform.invoices = others(8)
    expect(await polling.pass()).toEqual([])
    expect(emitted(await polling.pass())).toEqual(['invoice.removed R-7'])
    expect(polling.platform.asked.every(({ what }) => !what.includes('#'))).toBe(true)
  })

  test('the invoice rings its due day although a fetch by the reference shows the credit note', async () => {
    await using polling = await baselined([CREDIT, INVOICE, ...others(2)])
    await polling.clock.advance(Date.parse('2026-11-22T00:00Z') - polling.clock.now())
    await polling.run(10 * 60_000)
    expect(emitted((await polling.events()).filter(({ cause }) => cause === 'calendar'))).toEqual(['invoice.due R-7'])
    polling.platform.invoices = [CREDIT, ...others(2)]
    await polling.clock.advance(DAY)
    await polling.run(10_000)
    expect(await polling.types()).not.toContain('invoice.overdue')
  })

  test('of a store that took them for one are told apart in silence; what changes then rings', async () => {
    await using polling = new Polling(onlyInvoices)
    polling.platform.invoices = [INVOICE, CREDIT]
    // As it was read once: the last row alone was kept of the answer.
    polling.platform.retouch = (page) => {
      const last = page.rows.slice(-1)
      const read = { ...page, rows: page.rows.flatMap(() => last), toJSON: () => page }
      return read
    }
    await polling.pass()
    polling.platform.retouch = (page) => page
    await polling.restart({ watch: { invoices: { ...INVOICES, ignore: ['/other_rules'] } } })
    expect(await polling.pass()).toEqual([])
    expect(await ids(polling, ...BOTH)).toMatchObject({ 'R-7': 'credit_note', 'R-7#invoice': 'invoice' })
    polling.platform.invoices = [row('invoice', { status: 'paid' }), CREDIT]
    expect(emitted(await polling.pass())).toEqual(['invoice.status_changed R-7#invoice'])
  })
})
