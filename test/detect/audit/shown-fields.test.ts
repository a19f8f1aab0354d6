import { describe, expect, test } from 'vitest'
import { ShownFields } from '../../../src/detect/audit/shown-fields.ts'
import type { JsonObject } from '../../../src/model/json.ts'

function fieldsOf(listed: JsonObject, fetched: JsonObject, fields = new ShownFields('shipment', ['/ignored'])) {
  return fields.differences({ listed, fetched })?.map(({ field }) => field) ?? null
}

/** What a sampler knows that has seen both write a field alike so often. */
function learnt(record: JsonObject, samples = 5): ShownFields {
  const fields = new ShownFields('shipment', ['/ignored'])
  for (let nth = 0; nth < samples; nth += 1) fields.sample({ listed: record, fetched: record })
  return fields
}

function arrival(date: string): JsonObject {
  return { main_tracking_dates: { arrival_date: { date, status: 'estimated' } } }
}

const ARRIVAL = '/main_tracking_dates/arrival_date/date'

describe('before anything is learnt', () => {
  test.each([
    {
      name: 'another state of the interface counts',
      listed: { status: 'booked' },
      fetched: { status: 'finished' },
      found: ['/status'],
    },
    {
      name: 'a state that it does not name does not',
      listed: { status: 'open' },
      fetched: { status: 'finished' },
      found: [],
    },
    {
      name: 'a date that is days off counts',
      listed: arrival('2026-12-10T08:00Z'),
      fetched: arrival('2026-12-12T08:00Z'),
      found: [ARRIVAL],
    },
    {
      name: 'one that zones explain does not',
      listed: arrival('2026-12-10T08:00Z'),
      fetched: arrival('2026-12-10T17:30Z'),
      found: [],
    },
    { name: 'what only one shows does not', listed: { status: 'booked' }, fetched: { name: 'A' }, found: [] },
    { name: 'another text does not', listed: { name: 'A' }, fetched: { name: 'B' }, found: [] },
  ])('$name', ({ fetched, found, listed }) => {
    expect(fieldsOf(listed, fetched)).toEqual(found)
  })
})

describe('once both were seen to write a field alike', () => {
  const record = { name: 'Shoes', containers: 3, ignored: 1, cargo: { total_weight: { value: 7 } } }

  test.each([
    ['another text counts', { name: 'Boots' }, ['/name']],
    ['nothing in place of a value counts', { name: null }, ['/name']],
    ['what is ignored does not', { ignored: 2 }, []],
    ['a rounded number does not', { containers: 3.2 }, []],
    ['another number counts', { containers: 4 }, ['/containers']],
    ['another writing of a number does not', { containers: '3' }, ['/containers']],
    ['a text that is cut does not', { name: 'Sho…' }, []],
    ['a field that neither showed before does not', { notes: 'n' }, []],
  ])('%s', (_, changed, expected) => {
    expect(fieldsOf(record, { ...record, ...changed }, learnt(record))).toEqual(expected)
  })

  test('it goes on to count, however many differ from then on', () => {
    const fields = learnt(record)
    for (let nth = 0; nth < 50; nth += 1)
      fields.sample({ listed: record, fetched: { ...record, name: `Boots ${nth}` } })
    expect(fieldsOf(record, { ...record, name: 'Boots' }, fields)).toEqual(['/name'])
  })

  test('four samples are too few, and so are four of five', () => {
    expect(fieldsOf(record, { ...record, name: 'Boots' }, learnt(record, 4))).toEqual([])
    const fields = learnt(record, 0)
    for (let nth = 0; nth < 40; nth += 1)
      fields.sample({ listed: record, fetched: { ...record, name: nth % 4 === 0 ? 'Boots' : 'Shoes' } })
    expect(fieldsOf(record, { ...record, name: 'Boots' }, fields)).toEqual([])
  })

  test('until then a sample in which it differs says nothing, and neither do five: then it is written in two ways', () => {
    const fields = new ShownFields('shipment', [])
    const sample = (fetched: JsonObject) => fields.sample({ listed: record, fetched })
    const boots = Array.from({ length: 6 }, (_, nth) => sample({ ...record, name: `Boots ${nth}` }))
    expect([...boots, sample({ ...record, notes: 'n' })]).toEqual([null, null, null, null, null, [], []])
  })

  test('a record that was stale still is where one of its fields differs', () => {
    const fields = new ShownFields('shipment', [])
    const shown = { listed: record, fetched: { ...record, name: 'Boots' } }
    expect([fields.differIn(['/name'], shown), fields.differIn(['/containers'], shown)]).toEqual([true, false])
  })
})
