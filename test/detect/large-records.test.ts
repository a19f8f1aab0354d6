import { describe, expect, test } from 'vitest'
import { compare } from '../../src/detect/compare/compare.ts'
import { Effort } from '../../src/detect/compare/effort.ts'
import { invoiceRules } from '../../src/detect/invoice/invoice-rules.ts'
import type { JsonObject } from '../../src/model/json.ts'

/** Lines whose canonical texts sort by an amount that changes. */
function lines(count: number, amountOf: (index: number) => number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    amount: amountOf(index),
    category: `category ${index % 7}`,
    description: `line ${index}`,
  }))
}

function changesOf(before: readonly JsonObject[], after: readonly JsonObject[]): readonly string[] {
  return compare(invoiceRules.shape, { lines: before }, { lines: after }).map(
    ({ keys, from, to }) => `${keys.at(-1)} ${from} ${to}`,
  )
}

describe('a record with more edited elements than can all be weighed against each other', () => {
  const before = lines(1_500, (index) => index)
  const after = lines(1_500, (index) => 10_000 - index)

  test('pairs those that say the same of what they are', () => {
    const changes = changesOf(before, after)
    expect(changes).toHaveLength(1_500)
    expect(changes.filter((change) => !change.startsWith('amount '))).toEqual([])
  })

  test('does not depend on the order of the elements', () => {
    expect(changesOf(before, after.toReversed()).toSorted()).toEqual(changesOf(before, after).toSorted())
  })
})

test('up to a thousand edited elements of an array alone are weighed against each other', () => {
  const before = lines(1_000, (index) => index)
  const after = lines(1_000, (index) => index).map((line, index) => ({ ...line, description: `other ${index}` }))
  expect(changesOf(before, after.toReversed()).every((change) => change.startsWith('description '))).toBe(true)
})

test('what all arrays of a comparison may spend together grows with their elements only', () => {
  const arrays = Object.fromEntries(Array.from({ length: 500 }, (_, name) => [`a${name}`, lines(100, () => name)]))
  const effort = new Effort(arrays, arrays)
  expect(effort.affords(100 * 100, 200)).toBe(false)
  expect(effort.affords(20 * 200, 200)).toBe(true)
})
