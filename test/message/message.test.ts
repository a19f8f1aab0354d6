import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageOf, sentenceOf } from '../../src/message/message.ts'
import { sampleEvent } from '../../src/message/samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { isJsonObject, type JsonObject } from '../../src/model/json.ts'
import { standardPayload } from '../../src/model/payload.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)

/** One line for each type: `type<tab>tone<tab>sentence`. */
const EXPECTED = readFileSync(new URL('sentences.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')

function told(type: (typeof TYPES)[number]): string {
  const { tone, sentence } = messageOf(standardPayload(sampleEvent(type)))
  return [type, tone, sentence].join('\t')
}

test.each(TYPES)('%s is told in one sentence of plain English', (type) => {
  expect(EXPECTED).toContain(told(type))
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
  const data = payload['data'] ?? null
  return isJsonObject(data) ? data : {}
}

test('facts say what moved, from when to when, and what it touches', () => {
  const { facts } = messageOf(standardPayload(sampleEvent('shipment.eta_changed')))
  expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'From: Sat 12 Dec 2026, 10:00 UTC',
    'To: Tue 15 Dec 2026, 10:00 UTC',
    'Moved: 3 days later',
    'First told: Thu 10 Dec 2026, 10:00 UTC',
    'Shipment: Spring collection (SHP-1)',
    'Route: CNSHA → FRLEH',
    'Mode: ocean',
    'Status: in progress',
    'Containers: MSCU1234567',
    'Orders: PO-1, PO-2',
    'Bills: MAEU123 / HB-77',
    'Account: acme',
  ])
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
  expect(sentenceOf({ ...payload, data })).toBe('Shipment {{ data | json }}{% include "x" %} (SHP-1) is new.')
})
