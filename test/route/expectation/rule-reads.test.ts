import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ExpectationRule, ExpectedSubject } from '../../../src/model/expectation.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { compileExpectation } from '../../../src/route/expectation/compile-expectation.ts'
import type { CompiledRule } from '../../../src/route/expectation/compiled-rule.ts'
import { allReads, readAlike, WHOLE } from '../../../src/route/expectation/rule-reads.ts'

const RULE: ExpectationRule = {
  name: 'rule',
  about: 'shipment',
  when: 'true',
  by: 'null',
  until: 'false',
  severity: 'warning',
}

function ruleOf(keys: Partial<ExpectationRule>): CompiledRule {
  const compiled = compileExpectation({ ...RULE, ...keys })
  if (compiled.kind === 'problems') throw new Error(JSON.stringify(compiled.problems))
  return compiled.rule
}

function readsOf(about: ExpectedSubject, until: string): Record<string, readonly string[]> {
  const { reads } = ruleOf({ about, until })
  return Object.fromEntries(
    [...reads].map(([resource, ways]) => [resource, ways.map((way) => way.join('/')).toSorted()]),
  )
}

describe('what a rule reads', () => {
  it.each<[ExpectedSubject, string, Record<string, readonly string[]>]>([
    ['shipment', 'shipment.status == "booked"', { shipment: ['status'] }],
    ['shipment', 'has(shipment.route.origin_port_unlocode)', { shipment: ['route/origin_port_unlocode'] }],
    ['shipment', 'shipment["route"].x == shipment.route["y"]', { shipment: ['route/x', 'route/y'] }],
    ['shipment', 'shipment.route.x == 1 || shipment.route == null', { shipment: ['route'] }],
    ['shipment', 'shipment[shipment.name] == 1', { shipment: [''] }],
    ['shipment', 'shipment.cargo.containers[0].seal != null', { shipment: ['cargo/containers'] }],
    ['shipment', 'shipment.cargo[shipment.name] == 1', { shipment: ['cargo', 'name'] }],
    ['shipment', 'shipment.lines.exists(shipment, shipment.x == 1)', { shipment: ['lines'] }],
    ['shipment', 'shipment.lines.all(l, l.x == shipment.name)', { shipment: ['lines', 'name'] }],
    ['shipment', 'shipment.name.startsWith(tracking.name)', { shipment: ['name'], tracking: ['name'] }],
    ['shipment', 'shipment.exists(k, k == "x")', { shipment: [''] }],
    ['shipment', 'documents.exists(d, d.type == "x")', { document: [''] }],
    ['shipment', 'documents[0].type == shipment.status', { document: [''], shipment: ['status'] }],
    ['shipment', 'last_change("shipment") != null', { shipment: [''] }],
    ['shipment', 'last_change("tracking") != null', { tracking: [''] }],
    ['invoice', 'invoice.status == "paid"', { invoice: ['status'] }],
    ['invoice', 'shipment.status == "x"', { invoice: [''], shipment: ['status'] }],
    ['purchase_order', 'order.status == "x"', { purchase_order: ['status'] }],
    ['purchase_order', 'shipments.exists(s, s.status == "x")', { purchase_order: [''], shipment: [''] }],
  ])('about %s, %s', (about, until, reads) => {
    expect(readsOf(about, until)).toEqual(reads)
  })

  it.each([
    ['after(last_change("tracking"), "7d")', 'tracking', []],
    ['last_change("shipment")', 'shipment', []],
    ['after(before(last_change("document"), "1d"), "3d")', 'document', []],
    ['after(shipment.created_at, "48h")', null, ['shipment']],
    ['last_change("tracking") == null ? null : after(last_change("tracking"), "7d")', null, ['tracking']],
    ['after(last_change("tracking"), shipment.name)', null, ['tracking', 'shipment']],
  ])('is no resource whose changes put the instant off: %s', (by, defers, reads) => {
    const rule = ruleOf({ by })
    expect([rule.defers, [...rule.reads.keys()]]).toEqual([defers, reads])
    expect(rule.resources).toEqual(expect.arrayContaining([...reads, ...(defers === null ? [] : [defers])]))
  })

  it('is, of several rules, the widest of each', () => {
    const rules = ['shipment.route.x == 1', 'shipment.route == null', 'shipment.status == "x"']
    const reads = allReads(rules.map((until) => ruleOf({ until }).reads))
    expect(reads).toEqual(new Map([['shipment', [['route'], ['status']]]]))
    expect(allReads([ruleOf({ until: 'shipment.x == last_change("shipment")' }).reads]).get('shipment')).toEqual(WHOLE)
  })
})

const SHOWN = fc.constantFrom(null, '', 'a', 'b', 1, 2, true)
const record = fc.record(
  {
    a: fc.oneof(SHOWN, fc.record({ a: SHOWN, b: SHOWN }, { requiredKeys: [] })),
    b: fc.oneof(SHOWN, fc.array(fc.record({ a: SHOWN, b: SHOWN }, { requiredKeys: [] }), { maxLength: 2 })),
    c: SHOWN,
  },
  { requiredKeys: [] },
)
const EXPRESSIONS = [
  'shipment.a == "a"',
  'shipment.a.a == shipment.c',
  'has(shipment.a.b)',
  'has(shipment.c) && shipment.a != null',
  'shipment.b.exists(x, x.a == 1)',
  'shipment.b.all(x, x.b == shipment.c)',
  'shipment.b[0].a == "a"',
  '"a" in shipment.a',
  'shipment["c"] == 1',
  'shipment[shipment.c] == 1',
  'size(shipment.b) > 1',
  'shipment.exists(k, k == "c")',
]

/** A record with some fields of another one, or without them where that has none. */
function withFieldsOf(one: JsonObject, changed: JsonObject, names: readonly string[]): JsonObject {
  const kept = Object.entries(one).filter(([name]) => !names.includes(name))
  return Object.fromEntries([...kept, ...Object.entries(changed).filter(([name]) => names.includes(name))])
}

function said(rule: CompiledRule, shipment: JsonObject): unknown {
  const records = { shipment, tracking: {}, documents: [], invoices: [], orders: [] }
  return rule.judge({ records, changedAt: {}, timeZone: 'UTC' })
}

test('a rule says the same of two records that are the same in what it reads', { tags: 'long' }, () => {
  const rules = EXPRESSIONS.map((until) => ruleOf({ until }))
  let alike = 0
  fc.assert(
    fc.property(record, record, fc.subarray(['a', 'b', 'c']), (one, changed, names) => {
      const other = withFieldsOf(one, changed, names)
      for (const rule of rules) {
        if (!readAlike(one, other, rule.reads.get('shipment') ?? [])) continue
        alike += 1
        expect(said(rule, other)).toEqual(said(rule, one))
      }
    }),
    { numRuns: 1_000 },
  )
  expect(alike).toBeGreaterThan(500)
})
