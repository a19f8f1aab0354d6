import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import * as receivers from '@shipbell/events'
import type { EventOf, EventType, ShipbellEvent, UnknownEvent } from '@shipbell/events'
import { eventSchemas, shipbellEvent } from '@shipbell/events/zod'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as shipbell from 'shipbell/events'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE, type EventType as KnownType } from '../../src/model/event-catalogue.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { eventDocument } from '../../src/model/payload-schema/event-documents.ts'
import { payloadComplaints, schemaComplaints } from '../support/payload-schema.ts'
import manifest from '../../src/events/package.json' with { type: 'json' }

/** What `npm run docs` writes. After a change of the catalogue this file does not compile before that has run. */
const FOLDER = fileURLToPath(new URL('../../src/events/', import.meta.url))
/** The bytes that `completeness`, its types and what is said of it may take. */
const COMPLETENESS = 13_000
const TYPES = EVENT_CATALOGUE.map(({ type }) => type)

function read(name: string): JsonObject {
  const value: Json = JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8'))
  return isJsonObject(value) ? value : {}
}

const example = (type: KnownType): JsonObject => read(`examples/${type}.json`)
const files = new Ajv2020({ strict: true, code: { optimize: false } })
for (const name of readdirSync(`${FOLDER}schemas`)) files.addSchema({ ...read(`schemas/${name}`) }, name)

/** Whether the schema that the package has takes a payload. */
const isValid = (type: KnownType, payload: JsonObject): boolean => files.getSchema(`${type}.json`)?.(payload) === true

/** What is wrong in any event of a type. */
function spoilt(payload: JsonObject): readonly JsonObject[] {
  const subject = payload['subject'] ?? null
  const inside = isJsonObject(subject) ? subject : {}
  return [
    ...Object.keys(payload).map((name) => Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))),
    { ...payload, type: 'shipment.teleported' },
    { ...payload, sequence: '42' },
    { ...payload, timestamp: 'today' },
    { ...payload, cause: null },
    { ...payload, subject: { ...inside, resource: 'ship' } },
    // What is shown in a snapshot may never have rung.
    { ...payload, subject: { ...inside, version: payload['cause'] === 'snapshot' ? -1 : 0 } },
    { ...payload, data: [] },
    { ...payload, truncated: false },
  ]
}

describe.each(TYPES)('%s', (type) => {
  it('has an example that its schemas take, JSON Schema and zod alike, and what is wrong they refuse', () => {
    const payload = example(type)
    expect(schemaComplaints(type, payload)).toEqual([])
    expect(isValid(type, payload)).toBe(true)
    expect(eventSchemas[type].safeParse(payload).error).toBeUndefined()
    expect(shipbellEvent.parse(payload)).toEqual(payload)
    for (const wrong of spoilt(payload)) {
      expect([wrong, isValid(type, wrong)]).toEqual([wrong, false])
      expect(schemaComplaints(type, wrong)).not.toEqual([])
      expect(eventSchemas[type].safeParse(wrong).success).toBe(false)
    }
  })

  it('needs what it adds to `data`, and takes more', () => {
    const payload = example(type)
    const data = payload['data'] ?? null
    const entries = Object.entries(isJsonObject(data) ? data : {})
    const optional = new Set([
      'object',
      'previous',
      'changes',
      'late_by',
      'resources',
      ...(type.startsWith('shipment.') ? [] : ['shipment']),
      ...(type.startsWith('document.') ? ['content_url'] : []),
    ])
    for (const [name] of entries.filter(([each]) => !optional.has(each))) {
      const without = { ...payload, data: Object.fromEntries(entries.filter(([each]) => each !== name)) }
      expect([name, isValid(type, without), eventSchemas[type].safeParse(without).success]).toEqual([
        name,
        false,
        false,
      ])
    }
    const more = { ...payload, tomorrow: 1, data: { ...Object.fromEntries(entries), tomorrow: {} } }
    expect(isValid(type, more)).toBe(true)
    expect(eventSchemas[type].parse(more)).toEqual(more)
  })

  it('is taken thin', () => expect(payloadComplaints({ ...sampleEvent(type), type })).toEqual([]))
})

/** What the compiler knows of an event whose type was compared. */
function gist(event: ShipbellEvent): string {
  if (event.type === 'shipment.eta_changed') {
    expectTypeOf(event).toEqualTypeOf<EventOf<'shipment.eta_changed'>>()
    expectTypeOf(event.data.date_change.shift_minutes).toEqualTypeOf<number | null>()
    expectTypeOf(event.subject.resource).toEqualTypeOf<'shipment'>()
    return event.data.shipment.id
  }
  if (event.type === 'invoice.due' || event.type === 'invoice.overdue') {
    expectTypeOf(event).toEqualTypeOf<EventOf<'invoice.due' | 'invoice.overdue'>>()
    return event.data.due_date ?? ''
  }
  if (event.type === 'endpoint.failing') expectTypeOf(event.account).toEqualTypeOf<null>()
  expectTypeOf(event.type).toExtend<string>()
  return event.type
}

describe('types', () => {
  it('are narrowed to one event by a literal, and unknown ones stay', () => {
    expect(gist(shipbellEvent.parse(example('invoice.due')))).toBe('2026-12-01')
    expectTypeOf<Extract<ShipbellEvent, { type: 'shipment.departed' }>>().toEqualTypeOf<EventOf<'shipment.departed'>>()
    expectTypeOf<Exclude<ShipbellEvent, EventOf<EventType>>>().toEqualTypeOf<UnknownEvent>()
    expectTypeOf<UnknownEvent['type']>().toExtend<string>()
  })

  it('are those of the catalogue', () => {
    expectTypeOf<EventType>().toEqualTypeOf<KnownType>()
    expect(Object.keys(eventSchemas).toSorted()).toEqual(TYPES.toSorted())
  })

  it('may be newer than the package', () => {
    const tomorrow = { ...example('shipment.created'), type: 'shipment.teleported' }
    expect(shipbellEvent.parse(tomorrow)).toEqual(tomorrow)
    expect(shipbellEvent.safeParse({ ...tomorrow, type: 'shipment.eta_changed' }).success).toBe(false)
  })
})

describe('the package', () => {
  it('needs nothing, and is what `shipbell/events` is', () => {
    expect(manifest).not.toHaveProperty('dependencies')
    expect(shipbell.verify).toBe(receivers.verify)
    const require = createRequire(import.meta.url)
    expect(require.resolve('shipbell/events/schemas/invoice.due.json')).toBe(`${FOLDER}schemas/invoice.due.json`)
    expect(require.resolve('@shipbell/events/examples/invoice.due.json')).toBe(`${FOLDER}examples/invoice.due.json`)
  })

  it('is small without its examples', () => {
    const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
    const sizes = names.filter((name) => !name.startsWith('examples')).map((name) => readFileSync(FOLDER + name).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(720 * EVENT_CATALOGUE.length + COMPLETENESS)
  })

  it('has a schema and an example for each type, and no others', () => {
    expect(readdirSync(`${FOLDER}examples`).toSorted()).toEqual(TYPES.map((type) => `${type}.json`).toSorted())
    expect(readdirSync(`${FOLDER}schemas`)).toHaveLength(TYPES.length + 1)
    expect(TYPES.every((type) => existsSync(`${FOLDER}schemas/${type}.json`))).toBe(true)
  })
})

it('a schema that stands alone holds no part that it does not need', () => {
  const names = Object.keys(eventDocument('location.created')['$defs'] ?? {})
  expect(names).toContain('LocationRecord')
  expect(names).not.toContain('DateChange')
})
