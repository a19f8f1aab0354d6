import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { expectation, ruleOf } from '../../src/config/expectation-schema.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { replayExpectation } from '../../src/detect/expectation/replay-expectation.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { compileExpectation } from '../../src/route/expectation/compile-expectation.ts'
import { scratchFolder } from './scratch.ts'

const FOLDER = new URL('../../config/expectations/', import.meta.url)
const FILES = readdirSync(FOLDER)
const FILE = z.strictObject({ expectations: z.record(z.string(), expectation) })

function textOf(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

function ruleIn(file: string) {
  const [[name, keys] = ['', undefined]] = Object.entries(FILE.parse(parse(textOf(file))).expectations)
  const compiled = keys && compileExpectation(ruleOf(name, keys))
  if (compiled?.kind !== 'rule') throw new Error(`${file} has no rule`)
  return compiled.rule
}

/** What a record and those that belong to it are from a day on; what is left out is as it was, or empty. */
interface Day {
  readonly day: string
  readonly shipment?: JsonObject
  readonly order?: JsonObject
  readonly invoice?: JsonObject
  readonly documents?: readonly string[]
  readonly invoices?: readonly string[]
  /** Tracking shows something new. */
  readonly moves?: true
}

const START = Date.parse('2026-11-01T00:00:00Z')
const END = Date.parse('2026-12-31T00:00:00Z')

function typed(types: readonly string[] = []): readonly Json[] {
  return types.map((type) => ({ type }))
}

/** What a rule rings of a life, each with its day. */
function rung(file: string, life: readonly Day[]): readonly string[] {
  const rule = ruleIn(file)
  const days = life.map((each, index) => ({
    ...Object.assign({}, ...life.slice(0, index + 1)),
    at: Date.parse(each.day),
  }))
  const turns = replayExpectation({
    from: START,
    until: END,
    changes: days.map(({ at }) => at),
    verdictAt: (at) => {
      const now = days.findLast((each) => each.at <= at)
      if (now === undefined) return { isExpected: false, hasHappened: false, by: null }
      const { invoice = {}, order = {}, shipment = {} } = now
      const moved = life.findLast((each) => each.moves === true && Date.parse(each.day) <= at)?.day
      const lists = { documents: typed(now.documents), invoices: typed(now.invoices), orders: [], shipments: [] }
      const verdict = rule.judge({
        records: { shipment, order, invoice, tracking: {}, ...lists },
        changedAt: { shipment: now.at, ...(moved !== undefined && { tracking: Date.parse(moved) }) },
        timeZone: 'UTC',
      })
      if (verdict.kind === 'failed') throw new Error(verdict.reason)
      return verdict
    },
  })
  return turns.map(({ at, turn }) => `${new Date(at).toISOString().slice(0, 10)} ${turn.kind}`)
}

function date(day: string, status = 'planned'): JsonObject {
  return { date: `2026-${day}T00:00:00Z`, status }
}

function dates(of: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [`${name}_date`, value]))
}

function booked(of: Readonly<Record<string, JsonObject>>, fields: JsonObject = {}): JsonObject {
  return { status: 'booked', freight_mode: 'ocean', main_tracking_dates: dates(of), ...fields }
}

const SAILING = booked({ departure: date('11-20') })
const LANDED = booked({ arrival: date('11-10', 'actual') }, { status: 'in_progress' })
const DELIVERED = booked({ delivery: date('11-10', 'actual') }, { status: 'finished' })
const DEPARTED = booked({ departure: date('11-10', 'actual') }, { status: 'in_progress' })
const TURNED = booked({ departure: date('11-20'), arrival: date('11-15') })
const BILL = { type: 'invoice', status: 'due', sent_date: '2026-11-05T00:00:00Z' }
const ORDER = { desired_ex_factory_date: '2026-11-30', purchase_order_lines: [{ reference: '1' }, { reference: '2' }] }
const ASSIGNED = { assigned_order_lines: [{ platform_shipment_id: 'SHP-1' }] }
const WHOLE = { ...ORDER, purchase_order_lines: [ASSIGNED, ASSIGNED] }

const at = (day: string, rest: Omit<Day, 'day'>): Day => ({ day: `2026-${day}T00:00:00Z`, ...rest })
const first = (rest: Omit<Day, 'day'>): Day => at('11-02', rest)

/** By the name of a rule: a life that rings it and ends that, with what rings; and one that leaves it silent. */
const LIVES: Readonly<
  Record<string, readonly [life: readonly Day[], rings: readonly string[], quiet: readonly Day[]]>
> = {
  'packing-list': [
    [first({ shipment: SAILING }), at('11-18', { documents: ['cmr', 'packing_list'] })],
    ['2026-11-17 missed', '2026-11-18 met'],
    [first({ shipment: SAILING }), at('11-16', { documents: ['packing_list'] })],
  ],
  'commercial-invoice': [
    [first({ shipment: booked({ arrival: date('11-20') }) }), at('11-18', { documents: ['commercial_invoice'] })],
    ['2026-11-15 missed', '2026-11-18 met'],
    [first({ shipment: booked({ arrival: date('11-20') }, { status: 'cancelled' }) })],
  ],
  'tracking-quiet': [
    [first({ shipment: DEPARTED, moves: true }), at('11-12', { moves: true }), at('11-14', { shipment: DELIVERED })],
    ['2026-11-09 missed', '2026-11-12 withdrawn'],
    [first({ shipment: DEPARTED, moves: true }), at('11-08', { shipment: DELIVERED })],
  ],
  'cargo-not-picked-up': [
    [
      first({ shipment: booked({}, { cargo_ready_date: '2026-11-10' }) }),
      at('11-13', { shipment: booked({ pickup: date('11-13', 'actual') }, { cargo_ready_date: '2026-11-10' }) }),
    ],
    ['2026-11-11 missed', '2026-11-13 met'],
    [first({ shipment: booked({ departure: date('11-05', 'actual') }, { cargo_ready_date: '2026-11-10' }) })],
  ],
  'not-delivered-after-arrival': [
    [
      first({ shipment: LANDED }),
      at('11-17', { shipment: booked({ arrival: date('11-10', 'actual'), delivery: date('11-17', 'actual') }) }),
    ],
    ['2026-11-15 missed', '2026-11-17 met'],
    [first({ shipment: { ...LANDED, freight_mode: 'air' } })],
  ],
  'proof-of-delivery': [
    [first({ shipment: DELIVERED }), at('11-14', { documents: ['proof_of_delivery'] })],
    ['2026-11-11 missed', '2026-11-14 met'],
    [first({ shipment: DELIVERED, documents: ['proof_of_delivery'] })],
  ],
  'order-line-unassigned': [
    [first({ order: ORDER }), at('11-20', { order: WHOLE })],
    ['2026-11-17 missed', '2026-11-20 met'],
    [first({ order: ORDER }), at('11-10', { order: WHOLE })],
  ],
  'booking-number': [
    [
      first({ shipment: SAILING }),
      at('11-14', { shipment: { ...SAILING, booking_information: { ocean_booking: { booking_number: 'BK-1' } } } }),
    ],
    ['2026-11-13 missed', '2026-11-14 met'],
    [first({ shipment: { ...SAILING, freight_mode: 'air' } })],
  ],
  'master-bill': [
    [
      first({ shipment: DEPARTED }),
      at('11-12', { shipment: { ...DEPARTED, booking_information: { master_bill: 'M' } } }),
    ],
    ['2026-11-10 missed', '2026-11-12 met'],
    [first({ shipment: { ...DEPARTED, booking_information: { master_bill: 'M' } } })],
  ],
  'invoiced-before-departure': [
    [first({ shipment: DEPARTED, invoice: BILL }), at('11-20', { invoice: { ...BILL, status: 'paid' } })],
    ['2026-11-10 missed', '2026-11-20 withdrawn'],
    [first({ shipment: DEPARTED, invoice: { ...BILL, sent_date: '2026-11-11T00:00:00Z' } })],
  ],
  'not-invoiced': [
    [first({ shipment: DELIVERED }), at('11-25', { invoices: ['credit_note', 'invoice'] })],
    ['2026-11-20 missed', '2026-11-25 met'],
    [first({ shipment: DELIVERED, invoices: ['invoice'] })],
  ],
  'arrival-before-departure': [
    [first({ shipment: TURNED }), at('11-05', { shipment: SAILING })],
    ['2026-11-02 missed', '2026-11-05 withdrawn'],
    [first({ shipment: SAILING })],
  ],
}

describe('the rules of the trade', () => {
  test('are twelve, each with its lives', () => {
    expect(FILES.toSorted()).toEqual(
      Object.keys(LIVES)
        .map((name) => `${name}.yaml`)
        .toSorted(),
    )
    expect(FILES).toHaveLength(12)
  })

  test.each(Object.entries(LIVES))('%s rings, ends, and is silent', (name, [life, rings, quiet]) => {
    expect(rung(`${name}.yaml`, life)).toEqual(rings)
    expect(rung(`${name}.yaml`, quiet)).toEqual([])
  })

  test('stand one under another in a configuration, as they are pasted', () => {
    const rules = FILES.map((file) => textOf(file).replace('expectations:\n', '')).join('')
    const watch = 'shipments: {}, tracking: {}, invoices: {}, documents: {}, purchase_orders: {}'
    const yaml = `accounts:\n  acme:\n    base_url: https://p.example\n    api_key: k\n    watch: { ${watch} }\nexpectations:\n${rules}`
    const cwd = scratchFolder({ 'shipbell.yaml': yaml })
    const { config, problems } = loadConfig('shipbell.yaml', { env: {}, cwd })
    expect(problems.filter(({ message }) => !message.includes('account.*'))).toEqual([])
    expect(config?.accounts[0]?.expectations).toHaveLength(12)
  })
})
