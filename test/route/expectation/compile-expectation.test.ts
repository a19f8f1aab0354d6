import { describe, expect, test } from 'vitest'
import type { ExpectationRule } from '../../../src/model/expectation.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { compileExpectation } from '../../../src/route/expectation/compile-expectation.ts'
import type { CompiledRule } from '../../../src/route/expectation/compiled-rule.ts'
import type { ExpectationView } from '../../../src/route/expectation/expectation-view.ts'

const RULE: ExpectationRule = {
  name: 'rule',
  about: 'shipment',
  when: 'true',
  by: 'before(shipment.main_tracking_dates.departure_date, "3d")',
  until: 'documents.exists(d, d.type == "packing_list")',
  severity: 'warning',
}
const NOTHING: JsonObject = { shipment: {}, tracking: {}, documents: [], invoices: [], orders: [] }

function compiled(rule: Partial<ExpectationRule>): CompiledRule {
  const result = compileExpectation({ ...RULE, ...rule })
  if (result.kind === 'problems') throw new Error(result.problems.map(({ message }) => message).join('; '))
  return result.rule
}

function judged(rule: Partial<ExpectationRule>, records: JsonObject = {}, view: Partial<ExpectationView> = {}) {
  return compiled(rule).judge({ records: { ...NOTHING, ...records }, changedAt: {}, timeZone: 'UTC', ...view })
}

function instantOfBy(by: string, records: JsonObject = {}, view: Partial<ExpectationView> = {}): string | null {
  const verdict = judged({ by }, records, view)
  if (verdict.kind === 'failed') return verdict.reason
  return verdict.by === null ? null : new Date(verdict.by).toISOString()
}

describe('what an expectation says of a record', () => {
  const departing = { main_tracking_dates: { departure_date: { date: '2026-12-10T08:00:00Z', status: 'planned' } } }

  test.each([null, '', [], {}])('of a field that holds nothing is what it is of one that is missing: %j', (nothing) => {
    const shipment = { departure: nothing, containers: nothing }
    expect(judged({ by: 'after(shipment.departure, "1d")' }, { shipment })).toMatchObject({ kind: 'judged', by: null })
    const exists = 'shipment.containers.exists(c, c.seal != null) || "a" in shipment.containers'
    expect(judged({ until: exists }, { shipment })).toMatchObject({ kind: 'judged', hasHappened: false })
  })

  test.each<[by: string, shipment: JsonObject, at: string | null]>([
    ['before(shipment.main_tracking_dates.departure_date, "3d")', departing, '2026-12-07T08:00:00.000Z'],
    ['after(shipment.main_tracking_dates.departure_date, "24h")', departing, '2026-12-11T08:00:00.000Z'],
    ['after(shipment.main_tracking_dates.departure_date.date, "0s")', departing, '2026-12-10T08:00:00.000Z'],
    ['shipment.main_tracking_dates.departure_date', departing, '2026-12-10T08:00:00.000Z'],
    ['before(shipment.main_tracking_dates.departure_date, "3d")', {}, null],
    ['before(shipment.main_tracking_dates.departure_date, "3d")', { main_tracking_dates: null }, null],
    ['after(shipment.cargo_ready_date, "0s")', { cargo_ready_date: '2026-12-01' }, '2026-12-02T00:00:00.000Z'],
    ['after(shipment.cargo_ready_date, "1d")', { cargo_ready_date: '' }, null],
    ['null', {}, null],
  ])('%s of %j is %s', (by, shipment, at) => {
    expect(instantOfBy(by, { shipment })).toBe(at)
  })

  test('a day is over at its end in the zone, and whole days are calendar days', () => {
    const records = { shipment: { cargo_ready_date: '2026-10-23' } }
    const view = { timeZone: 'Europe/Paris' }
    expect(instantOfBy('after(shipment.cargo_ready_date, "0s")', records, view)).toBe('2026-10-23T22:00:00.000Z')
    expect(instantOfBy('after(shipment.cargo_ready_date, "2d")', records, view)).toBe('2026-10-25T23:00:00.000Z')
    expect(instantOfBy('after(shipment.cargo_ready_date, "48h1s")', records, view)).toBe('2026-10-25T22:00:01.000Z')
  })

  test('a change is asked for by the name of its resource', () => {
    const view = { changedAt: { tracking: Date.UTC(2026, 10, 1) } }
    expect(instantOfBy('after(last_change("tracking"), "7d")', {}, view)).toBe('2026-11-08T00:00:00.000Z')
    expect(instantOfBy('after(last_change("document"), "7d")', {}, view)).toBeNull()
  })

  test.each<[until: string, shipment: JsonObject, said: boolean | 'failed']>([
    ['shipment.cargo.containers.exists(c, c.container_number == "A")', {}, false],
    ['shipment.cargo.containers.all(c, c.container_number != null)', {}, true],
    ['shipment.booking_information.master_bill == null', {}, true],
    ['shipment.booking_information.master_bill == null', { booking_information: { master_bill: '' } }, false],
    ['shipment.booking_information.master_bill == ""', { booking_information: { master_bill: '' } }, true],
    ['has(shipment.booking_information.master_bill)', {}, false],
    ['"A" in shipment.purchase_order_references', {}, false],
    ['shipment.purchase_order_references[3] == null', { purchase_order_references: ['A'] }, true],
    ['shipment == null', {}, false],
    ['shipment.needs_ad_valorem_insurance', {}, 'failed'],
    ['shipment.commercial_value.amount > 4', {}, 'failed'],
    ['shipment.commercial_value.amount > 4', { commercial_value: { amount: 5 } }, true],
    ['after(shipment.a, "0s") < after(shipment.b, "0s")', { a: '2026-01-01', b: '2026-01-01T23:00:00Z' }, false],
  ])('%s of %j says %s', (until, shipment, said) => {
    const verdict = judged({ until, by: 'null' }, { shipment })
    expect(verdict.kind === 'failed' ? 'failed' : verdict.hasHappened).toBe(said)
  })

  test('a rule that cannot be judged says why', () => {
    expect(judged({ by: 'after(shipment.name, "1d")' }, { shipment: { name: 'Shoes' } })).toEqual({
      kind: 'failed',
      reason: '"Shoes" is no date.',
    })
    expect(judged({ when: 'shipment.name' }, { shipment: { name: 'Shoes' } })).toMatchObject({ kind: 'failed' })
  })

  test('a loop in a loop over a huge record ends', () => {
    const orders = Array.from({ length: 2_000 }, (_, index) => ({ po_number: String(index) }))
    const until = 'orders.all(a, orders.exists(b, orders.exists(c, c.po_number == a.po_number + b.po_number)))'
    expect(judged({ until }, { orders })).toMatchObject({ kind: 'failed' })
  })
})

describe('what a rule looks at', () => {
  test.each<[rule: Partial<ExpectationRule>, resources: readonly string[]]>([
    [{}, ['shipment', 'document']],
    [{ by: 'after(last_change("tracking"), "7d")', until: 'false' }, ['shipment', 'tracking']],
    [{ until: 'shipment.cargo.containers.exists(documents, documents == null)' }, ['shipment']],
    [
      { about: 'invoice', when: 'shipment.status == "x"', by: 'invoice.sent_date', until: 'false' },
      ['invoice', 'shipment'],
    ],
    [{ about: 'purchase_order', by: 'order.desired_ex_factory_date', until: 'false' }, ['purchase_order']],
  ])('%j: %j', (rule, resources) => {
    expect([...compiled(rule).resources].sort()).toEqual([...resources].sort())
  })
})

describe('what no rule can say', () => {
  test.each<[rule: Partial<ExpectationRule>, message: RegExp]>([
    [{ about: 'invoice' }, /Unknown variable: documents \(it sees invoice, shipment\)/],
    [{ by: 'true' }, /must say an instant/],
    [{ until: '4' }, /must say true or false/],
    [{ by: 'last_change("location")' }, /`last_change` takes one of "shipment"/],
    [{ by: 'last_change(shipment.name)' }, /`last_change` takes one of/],
    [{ about: 'purchase_order', by: 'last_change("tracking")', until: 'false' }, /takes one of "purchase_order"/],
    [{ by: 'after(shipment.cargo_ready_date, "3 days")' }, /`after` takes a length of time/],
    [{ until: 'documents.exists(d, ' }, /./],
  ])('%j', (rule, message) => {
    expect(() => compiled(rule)).toThrow(message)
  })
})
