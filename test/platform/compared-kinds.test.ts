import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compare } from '../../src/detect/compare/compare.ts'
import { elementsOf, fieldShape, type Shape } from '../../src/detect/compare/shape.ts'
import { RESOURCE_RULES } from '../../src/detect/resource-rules.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { RECORD_RESOURCES, type RecordResource } from '../../src/model/resource.ts'
import { schemaOf } from '../../src/platform/schemas.ts'
import { DOCUMENT, INVOICE, LOCATION, ORDER, PREPARATION, SHIPMENT, TRACKING } from '../../src/samples/records.ts'
import { dateWithTime, flag, number, simpleDate } from '../../src/platform/wire/value.ts'

/** How fields of a type of the interface compare; identifiers may be rendered as numbers. */
const KINDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  [number, ['number', 'identifier', 'ignored']],
  [flag, ['boolean']],
  [simpleDate, ['date']],
  [dateWithTime, ['plain']],
])

/** Fields that compare otherwise than the interface types them. */
function misread(schema: unknown, shape: Shape, path: string): readonly string[] {
  const kinds = KINDS.get(schema)
  const kind = shape.ignored === true ? 'ignored' : (shape.scalar ?? 'plain')
  if (kinds !== undefined) return kinds.includes(kind) ? [] : [`${path}: ${kind}`]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return misread(schema.unwrap(), shape, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => misread(each, shape, path))
  if (schema instanceof z.ZodArray) {
    const elements = elementsOf(shape)
    return elements.order === 'elsewhere' ? [] : misread(schema.element, elements.of, `${path}/*`)
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, each]) =>
    misread(each, fieldShape(shape, name), `${path}/${name}`),
  )
}

type Rendering = (value: string | number | boolean) => Json

/** Other ways to render a value of a type of the interface. */
const RENDERINGS: ReadonlyMap<unknown, readonly Rendering[]> = new Map<unknown, readonly Rendering[]>([
  [number, [String]],
  [
    flag,
    [
      (value) => Number(value),
      (value) => String(Number(value)),
      (value) => String(value).toUpperCase(),
      (value) => (value === true ? 'yes' : 'no'),
    ],
  ],
  [simpleDate, [(value) => `${String(value)}T00:00:00Z`, (value) => ` ${String(value)} 00:00:00 `]],
  [dateWithTime, [(value) => basicForm(String(value)), (value) => String(value).replace('Z', '+00')]],
])

/** `2026-12-12T10:00:00Z` as `20261212T100000,00Z`. */
function basicForm(text: string): string {
  return text.replaceAll(/[-:](?=\d\d\D)/g, '').replace(/Z$/, ',00Z')
}

/** A record in which every value of a type is rendered otherwise. */
function rendered(schema: unknown, value: Json, nth: number): Json {
  const renderings = RENDERINGS.get(schema)
  if (renderings !== undefined && value !== null && typeof value !== 'object')
    return renderings[nth % renderings.length]?.(value) ?? value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return rendered(schema.unwrap(), value, nth)
  if (schema instanceof z.ZodUnion) return rendered(schema.options[0], value, nth)
  if (schema instanceof z.ZodArray && isJsonArray(value))
    return value.map((each) => rendered(schema.element, each, nth))
  if (!(schema instanceof z.ZodObject) || !isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, each]) => [name, rendered(schema.shape[name], each, nth)] as const)
  return Object.fromEntries(fields)
}

const SAMPLES: Readonly<Record<RecordResource, JsonObject>> = {
  shipment: SHIPMENT,
  tracking: TRACKING,
  invoice: INVOICE,
  document: DOCUMENT,
  purchase_order: ORDER,
  location: LOCATION,
  order_preparation: PREPARATION,
}

describe('what is compared', () => {
  test.each(RECORD_RESOURCES.flatMap((resource) => [0, 1, 2, 3].map((nth) => [resource, nth] as const)))(
    'is the same however a %s is rendered (%i)',
    (resource, nth) => {
      const sample = SAMPLES[resource]
      const other = rendered(schemaOf(resource), sample, nth)
      expect(other).not.toEqual(sample)
      const { shape } = RESOURCE_RULES[resource]
      expect(isJsonObject(other) ? compare(shape, sample, other) : null).toEqual([])
      expect(isJsonObject(other) ? compare(shape, other, sample) : null).toEqual([])
    },
  )

  test.each(RECORD_RESOURCES)('is of the kind that the interface gives it: %s', (resource) => {
    expect(misread(schemaOf(resource), RESOURCE_RULES[resource].shape, '')).toEqual([])
  })
})
