import { array, type Arbitrary, assert, constantFrom, jsonValue, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FieldTree } from '../../src/model/field-tree.ts'
import { RECORD_RESOURCES } from '../../src/model/resource.ts'
import { interfaceFields, schemaOf } from '../../src/platform/schemas.ts'
import { soundnessOf } from '../../src/platform/check-record.ts'

const FIELDS = interfaceFields()
const ODD = constantFrom(null, '', 'text', 0, true, [], {}, [[]], ['text'], [null], [{}])

/** What a platform may send for a part of a record: as the interface has it, or anything else. */
function valueOf({ elements, fields }: FieldTree): Arbitrary<unknown> {
  const shaped: Arbitrary<unknown>[] = []
  if (elements !== null) shaped.push(array(valueOf(elements), { maxLength: 3 }))
  if (fields.size > 0) {
    const each = [...fields].map(([name, tree]) => [name, valueOf(tree)] as const)
    shaped.push(record(Object.fromEntries(each), { requiredKeys: [] }))
  }
  return oneof(
    { arbitrary: oneof(ODD, jsonValue({ maxDepth: 2 })), weight: 1 },
    ...shaped.map((arbitrary) => ({ arbitrary, weight: 6 })),
  )
}

describe.each(RECORD_RESOURCES)('whether a %s is sound', (resource) => {
  test('is what its schema says', () => {
    const schema = schemaOf(resource)
    const isSound = soundnessOf(schema)
    const agree = (value: unknown): boolean => isSound(value) === schema.safeParse(value).success
    assert(property(valueOf(FIELDS[resource]), agree), { numRuns: 200 })
  })
})

test.each([
  ['a field that has to be there', z.looseObject({ name: z.string() })],
  ['a field that may not be there', z.strictObject({})],
  ['a length', z.array(z.string()).min(2)],
  ['a further rule', z.looseObject({}).refine((value) => Object.keys(value).length > 2)],
])('%s is judged by the schema itself', (_, schema) => {
  const isSound = soundnessOf(schema)
  for (const value of [{}, { name: 'a' }, { a: 1, b: 2, c: 3 }, ['a'], ['a', 'b'], null])
    expect(isSound(value)).toBe(schema.safeParse(value).success)
})
