import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { schemaCommand } from '../../src/cli/schema.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { field, isJsonObject, type JsonObject } from '../../src/model/json.ts'
import { payloadBody } from '../../src/model/payload.ts'
import { runCommand } from './run-command.ts'

const require = createRequire(import.meta.url)

async function printed(...args: readonly string[]): Promise<JsonObject> {
  const { exitCode, stdout, stderr } = await runCommand(schemaCommand, args, { cwd: '/' })
  expect([exitCode, stderr]).toEqual([0, ''])
  const document: unknown = JSON.parse(stdout)
  return Object(document)
}

/** As it is sent. */
function payload(type: (typeof EVENT_CATALOGUE)[number]['type']): JsonObject {
  return JSON.parse(payloadBody(sampleEvent(type)))
}

const keysOf = (document: JsonObject, name: string): readonly string[] => Object.keys(field(document, name) ?? {})

describe('shipbell schema', () => {
  it('config prints the draft-07 schema of the configuration', async () => {
    const document = await printed('config')
    expect(document['$schema']).toBe('http://json-schema.org/draft-07/schema#')
    expect(new Ajv({ strict: true, code: { optimize: false } }).compile({ ...document })({ accounts: {} })).toBe(true)
  })

  it('events prints one 2020-12 schema that takes every event, and no other', { tags: 'long' }, async () => {
    const document = await printed('events')
    expect(document['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    const isValid = new Ajv2020({ strict: true, code: { optimize: false } }).compile({ ...document })
    for (const { type } of EVENT_CATALOGUE) {
      expect([type, isValid(payload(type))]).toEqual([type, true])
      expect([type, isValid({ ...payload(type), subject: {} })]).toEqual([type, false])
    }
    expect(isValid({ ...payload('shipment.created'), type: 'shipment.teleported' })).toBe(false)
  })

  it('events TYPE prints the schema of one, which stands alone', async () => {
    const document = await printed('events', 'invoice.due')
    const isValid = new Ajv2020({ strict: true, code: { optimize: false } }).compile({ ...document })
    expect(document['title']).toBe('invoice.due')
    expect(isValid(payload('invoice.due'))).toBe(true)
    expect(isValid(payload('invoice.overdue'))).toBe(false)
  })

  it('names the type that was meant', async () => {
    const { exitCode, stderr } = await runCommand(schemaCommand, ['events', 'invoice.du'], { cwd: '/' })
    expect([exitCode, stderr]).toEqual([2, 'There is no event type "invoice.du": did you mean invoice.due?'])
  })

  it('asyncapi prints a document of AsyncAPI 3.0.0 with a message for every event', { tags: 'long' }, async () => {
    const document = await printed('asyncapi')
    const published = require.resolve('@asyncapi/specs/schemas/3.0.0.json')
    // It holds draft-07 itself.
    const ajv = new Ajv({
      strict: false,
      validateFormats: false,
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    })
    const isValid = ajv.compile(JSON.parse(readFileSync(published, 'utf8')))
    expect([isValid(document), isValid.errors]).toEqual([true, null])
    expect(document['asyncapi']).toBe('3.0.0')
    const { components = {} } = document
    const messages = field(components, 'messages')
    const names = Object.values(isJsonObject(messages) ? messages : {}).map((message) => field(message, 'name'))
    expect(names).toEqual(EVENT_CATALOGUE.map(({ type }) => type))
    expect(danglingIn(document)).toEqual([])
    const schemas = new Ajv({ strict: false, code: { optimize: false } }).addSchema({ ...document }, 'api')
    const takes = schemas.compile({ $ref: 'api#/components/schemas/InvoiceDue' })
    expect([takes(payload('invoice.due')), takes(payload('invoice.overdue'))]).toEqual([true, false])
  })
})

/** The `$ref`s that lead nowhere. */
function danglingIn(document: JsonObject): readonly string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/(\w+)\/(\w+)(?:\/(\w+))?"/g)]
  expect(refs.length).toBeGreaterThan(300)
  return refs
    .filter(([, first = '', second = '', third]) => {
      const place = field(field(document, first), second)
      return third === undefined ? place === undefined : !keysOf({ place: place ?? null }, 'place').includes(third)
    })
    .map(([text]) => text)
}
