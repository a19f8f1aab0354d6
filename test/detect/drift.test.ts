import { describe, expect, it } from 'vitest'
import { driftedPaths } from '../../src/detect/drift/drifted-paths.ts'
import { detectChange } from '../../src/detect/detect-change.ts'
import type { Detected } from '../../src/detect/detect-input.ts'
import type { FieldTree } from '../../src/model/field-tree.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import { baseline, readAt } from './reads.ts'

/** What a search finds in the end. */
function found(shown: Parameters<typeof driftedPaths>[0]): readonly string[] {
  const steps = driftedPaths(shown)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const LEAF: FieldTree = { fields: new Map(), elements: null }
const LINE: FieldTree = { fields: new Map([['category', LEAF]]), elements: null }
const FIELDS: FieldTree = {
  fields: new Map([
    ['reference', LEAF],
    ['lines', { fields: new Map(), elements: LINE }],
  ]),
  elements: null,
}

function drifted(records: readonly JsonObject[], more: { rows?: number; absorbed?: readonly string[] } = {}) {
  const { rows = records.length, absorbed = [] } = more
  const shown = { news: records, known: () => [], rows, rowsBefore: null }
  return found({ resource: 'invoice', ...shown, fields: FIELDS, ignore: [], absorbed })
}

/** Of a page whose last answer was judged: nine that are known have a foreign field. */
function driftedAgain(news: readonly JsonObject[], rowsBefore: number | null = 9): readonly string[] {
  const shown = { news, known: () => tenOf({ tax: 1 }).slice(1), rows: 9 + news.length, rowsBefore }
  return found({ resource: 'invoice', ...shown, fields: FIELDS, ignore: [], absorbed: [] })
}

function tenOf(record: JsonObject): readonly JsonObject[] {
  return Array.from({ length: 10 }, () => record)
}

function tenWithTax(): readonly JsonObject[] {
  return tenOf({ tax: 1 })
}

const ABSORBED: readonly string[] = ['/tax', '/lines/*/code']

function read(before: RecordState, after: JsonObject, day = 1): Detected {
  return detectChange({
    account: 'acme',
    resource: 'invoice',
    id: 'INV-1',
    before,
    after,
    read: readAt(day),
    mode: 'ring',
    absentAt: null,
    ignore: [],
    absorbed: ABSORBED,
    shipment: null,
  })
}

describe('drift', () => {
  it('is a field on ten records and half of the rows', () => {
    expect(drifted(tenOf({ tax: 1 }))).toEqual(['/tax'])
    expect(drifted(tenOf({ tax: 1 }).slice(1))).toEqual([])
    expect(drifted(tenOf({ tax: 1 }), { rows: 20 })).toEqual(['/tax'])
    expect(drifted(tenOf({ tax: 1 }), { rows: 21 })).toEqual([])
    expect(drifted(tenOf({ tax: 1 }), { absorbed: ['/tax'] })).toEqual([])
  })

  it('of a page that was judged before is looked for in all rows as soon as a row that is new has a foreign field', () => {
    expect(driftedAgain([{ tax: 2 }])).toEqual(['/tax'])
    expect(driftedAgain([{ reference: 'A' }])).toEqual([])
  })

  it('of a page that is shorter, or was never judged, is looked for in all rows', () => {
    const shown = {
      resource: 'invoice',
      news: [],
      known: tenWithTax,
      rows: 20,
      fields: FIELDS,
      ignore: [],
      absorbed: [],
    } as const
    expect(found({ ...shown, rowsBefore: 21 })).toEqual(['/tax'])
    expect(found({ ...shown, rowsBefore: null })).toEqual(['/tax'])
    expect(found({ ...shown, rowsBefore: 20 })).toEqual([])
  })

  it('counts a field once for a record, however many elements have it', () => {
    const lines = [{ category: 'x', 'a/b': 1 }, { 'a/b': 2 }]
    expect(drifted(tenOf({ lines }))).toEqual(['/lines/*/a~1b'])
    expect(drifted([{ lines: [...lines, ...lines, ...lines, ...lines, ...lines] }])).toEqual([])
  })

  it('is neither a field that the interface names, nor one that says nothing, nor one named *', () => {
    const record = { reference: 'R', lines: [{ category: 1 }], none: null, empty: '', list: [], deep: [{ a: null }] }
    expect(drifted(tenOf({ ...record, '*': 1, tenant_shipment_id: 'S' }))).toEqual([])
  })

  it('ends at 200 fields of a list, and at names of 300 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]))
    expect(drifted(tenOf(many))).toHaveLength(200)
    expect(drifted(tenOf(many), { absorbed: ['/a', '/b'] })).toHaveLength(198)
    expect(drifted(tenOf({ ['x'.repeat(301)]: 1 }))).toEqual([])
  })

  it('holds for keys like __proto__', () => {
    expect(drifted(tenOf(JSON.parse('{"__proto__":{"a":1},"constructor":2}')))).toEqual(['/__proto__', '/constructor'])
  })
})

describe('an absorbed field', () => {
  it('is silent with its first value, in elements too, and hides no other change', () => {
    const before = baseline('invoice', { number: 1, lines: [{ category: 'a' }, { category: 'b' }] })
    const lines = [
      { category: 'b', code: 2 },
      { category: 'a', code: 1 },
    ]
    expect(read(before, { number: 1, tax: { rate: 5 }, lines }).events).toEqual([])
    const { events } = read(before, { number: 2, tax: { rate: 5 }, lines })
    expect(events.flatMap(({ changes }) => changes)).toEqual([{ path: '/number', from: 1, to: 2 }])
  })

  it('rings with every later value, also after it was gone', () => {
    const first = read(baseline('invoice', { number: 1 }), { number: 1, tax: 5 }, 1)
    const gone = read(first.state, { number: 1 }, 2)
    const back = read(gone.state, { number: 1, tax: 5 }, 3)
    expect([first, gone, back].map(({ events }) => events.flatMap(({ changes }) => changes))).toEqual([
      [],
      [{ path: '/tax', from: 5, to: null, removed: true }],
      [{ path: '/tax', from: null, to: 5 }],
    ])
  })

  it('does not stand for a field whose name begins alike', () => {
    const { events } = read(baseline('invoice', {}), { tax: 1, taxes: 1, lines: { code: 1 } })
    expect(events.flatMap(({ changes }) => changes?.map(({ path }) => path))).toEqual(['/taxes', '/lines/code'])
  })
})
