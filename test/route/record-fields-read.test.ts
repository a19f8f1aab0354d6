import { describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { eventData } from '../../src/model/event-data.ts'
import { fullPayload } from '../../src/model/payload.ts'
import { dataRead } from '../../src/route/filter/reads-records.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { filter } from './samples.ts'

const EVENTS = EVENT_CATALOGUE.map(({ type }) => sampleEvent(type))

describe.each([
  ['type == "shipment.created"', []],
  ['data.shipment.freight_mode == "ocean"', []],
  ['data.object.status == "in_progress"', ['status']],
  ['has(data.late_by) || data.date_change.shift_minutes > 60', []],
  ['data[type] == 1 || data.shipment.name != "x"', null],
  ['"from" in data && data.from != data.to', null],
  ['data.object["status"] == "in_progress" || data.object.route.origin_port_unlocode == "CNSHA"', ['status', 'route']],
  ['has(data.object.note) && data.object.note.contains("a")', ['note', 'note']],
  ['has(data.object) && data.object.status != "in_progress"', null],
  ['"note" in data.object', null],
  ['data["object"].status == "in_progress"', null],
  ['data.object == data.previous', null],
  ['data.previous.status == "booked"', null],
  ['data[type] == 1', null],
  ['data.object[type] == 1', null],
  ['data.changes.exists(change, data.object.status == change.to)', null],
  [`data.object.status == "${'long '.repeat(200)}"`, null],
])('%s', (expression, fields) => {
  it('names the fields of the record that it looks into', () => {
    expect(dataRead(expression)?.fields ?? null).toEqual(fields)
  })

  it('is judged alike where the record has no others, nor `data` other members than it names', () => {
    const condition = filter(expression)
    const names = dataRead(expression)?.names ?? null
    for (const event of EVENTS) {
      const read = Object.entries(event.object ?? {}).filter(([name]) => fields?.includes(name) !== false)
      const lean = { ...event, object: event.object && Object.fromEntries(read) }
      const members = Object.entries(eventData(lean)).filter(([name]) => names?.includes(name) !== false)
      const payload = { ...fullPayload(lean), data: Object.fromEntries(members) }
      expect([event.type, condition.judge(payload)]).toEqual([event.type, condition.judge(fullPayload(event))])
    }
  })
})
