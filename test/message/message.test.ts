import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factLine } from '../../src/message/facts/fact.ts'
import { messageOf, sentenceOf } from '../../src/message/message.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { standardPayload } from '../../src/model/payload.ts'
import { LANGUAGES } from '../../src/model/reader.ts'
import { wordingOf } from '../../src/message/wording/wording.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)

/** One line for each type: `type<tab>tone<tab>sentence`. */
const EXPECTED = readFileSync(new URL('sentences.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')

function emitted(type: (typeof TYPES)[number]): string {
  const { tone, sentence } = messageOf(standardPayload(sampleEvent(type)))
  return [type, tone, sentence].join('\t')
}

test.each(TYPES)('%s is told in one sentence of plain English', (type) => {
  expect(EXPECTED).toContain(emitted(type))
})

test.each(LANGUAGES)('a milestone reached on the minute is not said to be earlier or later (%s)', (language) => {
  const change = { milestone: 'arrival', to: { date: '2026-12-01T09:00:00Z', status: 'actual' } }
  const said = (shift_minutes: number | null): string => {
    const payload = standardPayload(sampleEvent('shipment.arrived'))
    const data = {
      ...Object.fromEntries(Object.entries(payload['data'] ?? {})),
      date_change: { ...change, shift_minutes },
    }
    return sentenceOf({ ...payload, data }, wordingOf({ language, timeZone: 'UTC' }))
  }
  expect(said(0)).toBe(said(null))
  expect(said(0)).not.toBe(said(60))
})

test('no sentence stands without its type', () => {
  expect(new Set(EXPECTED.map((line) => line.split('\t')[0]))).toEqual(new Set(TYPES))
})

test.each(TYPES)('%s reads well where a payload is thin', (type) => {
  const payload = standardPayload(sampleEvent(type))
  const data = Object.fromEntries(
    Object.entries(payload['data'] ?? {}).filter(([name]) => !['object', 'previous', 'changes'].includes(name)),
  )
  const sentence = sentenceOf({ ...payload, data })
  expect(sentence).toMatch(/\S.*\.$/)
  expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\{\{|: \.|  /)
})

test.each(TYPES)('%s does not double the full stop of a reason', (type) => {
  const payload = standardPayload(sampleEvent(type))
  const reason = 'the connection was refused; check base_url and the network.'
  const data = { ...(isJsonObject(payload['data']) ? payload['data'] : {}), reason }
  expect(sentenceOf({ ...payload, data })).not.toContain('..')
})

describe('a date', () => {
  const base = standardPayload(sampleEvent('shipment.eta_changed'))

  test.each([
    [
      'that did not move but changed its status',
      {
        from: { date: '2026-12-15T10:00:00Z', status: 'planned' },
        to: { date: '2026-12-15T10:00:00Z', status: 'estimated' },
        shift_minutes: 0,
      },
      'is now estimated instead of planned: Tue 15 Dec 2026, 10:00 UTC.',
      'neutral',
    ],
    [
      'that came',
      { from: null, to: { date: '2026-12-15T10:00:00+05:30', status: 'planned' }, shift_minutes: null },
      'is now planned for Tue 15 Dec 2026, 10:00 UTC+05:30; no date was known before.',
      'neutral',
    ],
    [
      'that went',
      { from: { date: '2026-12-15T10:00:00Z', status: 'planned' }, to: null, shift_minutes: null },
      'is no longer known; it was planned for Tue 15 Dec 2026, 10:00 UTC.',
      'neutral',
    ],
    [
      'that is earlier',
      {
        from: { date: '2026-12-15T10:00:00Z', status: 'planned' },
        to: { date: '2026-12-15T08:30:00Z', status: 'planned' },
        shift_minutes: -90,
      },
      'moved 1 hour 30 minutes earlier, from Tue 15 Dec 2026, 10:00 UTC to Tue 15 Dec 2026, 08:30 UTC.',
      'good',
    ],
  ])('%s', (...[, change, end, tone]) => {
    const message = messageOf({ ...base, data: { ...dataOf(base), date_change: { milestone: 'arrival', ...change } } })
    expect(message.sentence).toBe(`Arrival (ETA) of Spring collection (SHP-1) ${end}`)
    expect(message.tone).toBe(tone)
  })
})

function dataOf(payload: JsonObject): JsonObject {
  return objectOf(payload['data'])
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}

describe('facts', () => {
  test.each([
    [
      'invoice.amount_changed',
      [
        'From: EUR 1,200.00',
        'To: EUR 1,250.50',
        'Difference: EUR +50.50',
        'Number: 2026-0042',
        'Reference: INV-1',
        'Amount: EUR 1,250.50',
        'Due date: Tue 1 Dec 2026',
        'Status: due',
        'Sent: Sun 1 Nov 2026, 08:00 UTC',
        'Shipment: Spring collection (SHP-1)',
      ],
    ],
    ['invoice.overdue', ['Told late by: 3 hours']],
    ['invoice.status_changed', ['From: new', 'To: due']],
    ['invoice.due_date_changed', ['From: Sat 28 Nov 2026', 'To: Tue 1 Dec 2026']],
    ['shipment.rolled', ['From: Ever Given, voyage 12E', 'To: Ever Ace, voyage 13E']],
    ['shipment.container_added', ['Container: MSCU1234567, forty foot standard, seal SL-4711']],
    [
      'shipment.delivery_at_risk',
      ['Expected delivery: Mon 21 Dec 2026, 09:00 UTC+01:00', 'Desired delivery: Fri 18 Dec 2026'],
    ],
    [
      'tracking.event_updated',
      [
        'Event: Gate in',
        'Container: MSCU1234567',
        'Place: Shanghai (CNSHA)',
        'When: Fri 20 Nov 2026, 10:00 UTC, estimated',
        'Before: Thu 19 Nov 2026, 10:00 UTC, estimated',
      ],
    ],
    ['tracking.event_retracted', ['Event: Gate in', 'Container: MSCU1234567']],
    ['tracking.position_changed', ['Position: 31.23, 121.47']],
    [
      'purchase_order.shipped_quantity_changed',
      [
        'Supplier: Example Textiles',
        'Line: L-1',
        'Product: Summer dress (SKU-7)',
        'Ordered: 100',
        'Shipped: 80 in MSCU1234567',
        'Shipment: SHP-1',
      ],
    ],
    ['purchase_order.created', ['Lines: 1 line', 'Ex factory: Sat 14 Nov 2026']],
    ['document.added', ['Type: packing list', 'Shipment: SHP-1', 'Uploaded: Fri 20 Nov 2026']],
    ['location.created', ['Company: Example Warehousing', 'Address: 1 Rue de la Gare, 69002 Lyon, FR']],
    ['order_preparation.created', ['Mode: ocean', 'Pickup: Tue 24 Nov 2026', 'References: PK-1, PK-2']],
  ] as const)('of %s are what its reader looks for', (type, facts) => {
    expect(messageOf(standardPayload(sampleEvent(type))).facts.map(factLine)).toEqual(
      expect.arrayContaining([...facts]),
    )
  })

  test.each([
    [{ price: { amount: 0.1, currency: 'EUR' } }, { price: { amount: 0.2, currency: 'EUR' } }, 'EUR 0.30'],
    [{ price: { amount: '1234567.891', currency: 'EUR' } }, {}, 'EUR 1,234,567.891'],
    [
      { price: { amount: 300.29999999999995, currency: 'EUR' } },
      { price: { amount: -1000000.0000000001, currency: 'EUR' } },
      'EUR -999,699.70',
    ],
    [{ price: { amount: 0.1234567, currency: 'EUR' } }, {}, 'EUR 0.1234567'],
    [{ price: { amount: 1200, currency: 'JPY' } }, { price: { amount: 3.5, currency: 'USD' } }, 'JPY 1,200 + USD 3.50'],
    [{ price: { amount: -7, currency: 'KWD' } }, {}, 'KWD -7.000'],
    [{ price: { amount: 5 } }, {}, '(no currency) 5.00'],
    [{ price: { amount: 'a lot', currency: 'EUR' } }, {}, undefined],
  ])('sum an invoice exactly, but for float noise: %j and %j', (one, other, amount) => {
    const payload = standardPayload(sampleEvent('invoice.created'))
    const object = { ...objectOf(dataOf(payload)['object']), lines: [one, other] }
    const { facts } = messageOf({ ...payload, data: { ...dataOf(payload), object } })
    expect(facts.find(({ label }) => label === 'Amount')?.value).toBe(amount)
  })
})

test('facts say what moved, from when to when, and what it touches', () => {
  const { facts } = messageOf(standardPayload(sampleEvent('shipment.eta_changed')))
  expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'From: Sat 12 Dec 2026, 10:00 UTC',
    'To: Tue 15 Dec 2026, 10:00 UTC',
    'Moved: 3 days later',
    'First known: Thu 10 Dec 2026, 10:00 UTC',
    'Shipment: Spring collection (SHP-1)',
    'Route: Shanghai (CNSHA) → Le Havre (FRLEH)',
    'Mode: ocean',
    'Carrier: Example Line, Ever Given, voyage 12E',
    'Status: in progress',
    'Containers: MSCU1234567',
    'Orders: PO-1, PO-2',
    'Bills: MAEU123 / HB-77',
    'Account: acme',
  ])
})

describe('an actual date', () => {
  const base = standardPayload(sampleEvent('shipment.milestone_corrected'))
  const was = { date: '2026-12-16T11:00:00Z', status: 'actual' }

  test.each([
    [
      'that is another one',
      { date: '2026-12-16T09:00:00Z', status: 'actual' },
      -120,
      'was corrected, 2 hours earlier: Wed 16 Dec 2026, 09:00 UTC, not Wed 16 Dec 2026, 11:00 UTC.',
    ],
    [
      'that became an estimate',
      { date: '2026-12-17T19:00:00Z', status: 'estimated' },
      1920,
      'was taken back: it is now estimated for Thu 17 Dec 2026, 19:00 UTC, not Wed 16 Dec 2026, 11:00 UTC.',
    ],
    ['that went', null, null, 'was taken back; it was known as Wed 16 Dec 2026, 11:00 UTC before.'],
  ])('%s is told as a correction', (...[, to, shift_minutes, end]) => {
    const data = { ...dataOf(base), date_change: { milestone: 'arrival', from: was, to, shift_minutes } }
    expect(sentenceOf({ ...base, data })).toBe(`The actual arrival of Spring collection (SHP-1) ${end}`)
  })
})

test.each([
  ['invoice.due', { reason: 'status' }, /^The platform calls invoice .* due; its due date is Tue 1 Dec 2026\.$/],
  ['invoice.due_soon', { days_left: 0 }, /falls due today, on Tue 1 Dec 2026\.$/],
  ['tracking.position_changed', { position: null }, /^The position of .* is no longer known\.$/],
  ['shipment.container_added', { container: {} }, /^A container without a number was added to /],
  ['account.removals_held', { resource: 'tracking' }, / of 240 tracking records seem gone/],
  ['account.record_rejected', { resource: 'purchase_orders' }, /: purchase order INV-9 cannot be understood/],
  ['account.record_rejected', { id: null }, /: a record of invoices cannot be understood/],
  [
    'tracking.event_updated',
    { previous_event: { description: 'Gate-in', date: '2026-11-20T10:00:00Z', status: 'estimated' } },
    /, estimated Fri 20 Nov 2026, 10:00 UTC; before: Gate-in\.$/,
  ],
] as const)('%s with %j reads well', (type, extras, expected) => {
  const payload = standardPayload(sampleEvent(type))
  expect(sentenceOf({ ...payload, data: { ...dataOf(payload), ...extras } })).toMatch(expected)
})

test('a type of a later version is told by its subject', () => {
  expect(sentenceOf({ type: 'shipment.teleported', subject: { resource: 'shipment', id: 'SHP-1' } })).toBe('SHP-1.')
})

test('whatever a payload holds, it is told in a bounded sentence', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(fc.constantFrom(...TYPES, 'other'), value, value, (type, data, subject) => {
      const payload = JSON.parse(JSON.stringify({ type, data, subject }))
      const message = messageOf(payload)
      expect(message.sentence.length).toBeLessThan(2_000)
      for (const { value: shown } of message.facts) expect(shown.length).toBeLessThanOrEqual(300)
    }),
  )
})

test('a hostile field is carried as text and never as a template', () => {
  const payload = standardPayload(sampleEvent('shipment.created'))
  const data = { ...dataOf(payload), shipment: { id: 'SHP-1', name: '{{ data | json }}{% include "x" %}' } }
  expect(sentenceOf({ ...payload, data })).toBe(
    'Shipment {{ data | json }}{% include "x" %} (SHP-1) is new: ocean, Shanghai (CNSHA) → Le Havre (FRLEH).',
  )
})

test.each([
  ['CNSHA', 'Shanghai (CNSHA)'],
  ['fr leh', 'Le Havre (fr leh)'],
  ['ZZZZZ', 'ZZZZZ'],
  ['constructor', 'constructor'],
])('a port is named beside its code: %s', (code, shown) => {
  const payload = standardPayload(sampleEvent('shipment.created'))
  const route = { origin_port_unlocode: code, destination_port_unlocode: null }
  const { facts } = messageOf({ ...payload, data: { ...dataOf(payload), object: { route } } })
  expect(facts.find(({ name }) => name === 'route')?.value).toBe(`${shown} → –`)
})
