import { expect, test } from 'vitest'
import { mayPass } from '../../src/route/filter/may-pass.ts'
import { samplePayload } from '../../src/samples/sample-payload.ts'

const SNAPSHOT = samplePayload('shipment.snapshot')

test.each([
  'true',
  'type.endsWith(".snapshot")',
  'type.matches("^shipment.s")',
  'data.shipment.freight_mode == "air"',
  '!has(data.date_change) || data.date_change.shift_minutes > 60.0',
  'data.object.cargo.containers.exists(c, c.seal_number == "x")',
  'data.days_left > 60.0 || data.object.status == "x"',
  'has(data.object.own) && data.object.own > 3.0',
  '"own" in data.object',
  '!(cause != "snapshot")',
  'account == "acme" && subject.version > 3.0',
  'has(data.date_change) ? data.date_change.shift_minutes > 60.0 : data.object.status == "x"',
  // What cannot be judged is sent.
  'sequence > 100',
])('%s may let a snapshot pass', (where) => {
  expect(mayPass(where, SNAPSHOT)).toBe(true)
})

test.each([
  'false',
  'type == "shipment.departed"',
  'type in ["shipment.created", "shipment.removed"]',
  'cause == "change" && data.object.status == "x"',
  'data.date_change.shift_minutes > 60.0',
  'has(data.date_change) && data.object.status == "x"',
  '!has(data.shipment)',
  '"changes" in data',
  'data["previous"].x == 1.0',
  'data.changes.exists(c, c.path == "/x")',
  '!(data.changes.size() == 0)',
  'cause == "snapshot" ? false : true',
  'has(data.date_change.from)',
])('%s lets none pass', (where) => {
  expect(mayPass(where, SNAPSHOT)).toBe(false)
})
