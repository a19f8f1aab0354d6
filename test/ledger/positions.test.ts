import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newestPosition, Numbering } from '../../src/ledger/positions.ts'

interface Made {
  readonly subscription: string
  readonly test: boolean
  readonly conflicts: boolean
  readonly endsTransaction: boolean
  readonly isDropped: boolean
}

/** The numbers of each subscription; with the end of a transaction its newest row may be dropped. */
function numbersOf(rows: readonly Made[]): readonly (readonly number[])[] {
  const all = new Map<string, number[]>()
  const there = new Map<string, number[]>()
  const dropped = new Map<string, number>()
  let numbering = new Numbering()
  for (const { conflicts, endsTransaction, isDropped, ...row } of rows) {
    const position = numbering.next(row)
    if (!conflicts && position !== null) {
      numbering.made(row)
      for (const each of [all, there]) each.set(row.subscription, [...(each.get(row.subscription) ?? []), position])
    }
    if (!endsTransaction) continue
    numbering = new Numbering()
    for (const name of all.keys()) {
      const gone = isDropped ? there.get(name)?.pop() : undefined
      if (gone !== undefined) dropped.set(name, Math.max(gone, dropped.get(name) ?? 0))
      const kept_position = there.get(name)?.at(-1) ?? null
      numbering.begin(name, { dropped_position: dropped.get(name) ?? 0, kept_position })
    }
  }
  return [...all.values()]
}

describe('numbers of the rows of a subscription', () => {
  it.each([
    ['none has one', { dropped_position: 0, kept_position: null }, 0],
    ['some are there', { dropped_position: 0, kept_position: 7 }, 7],
    ['the oldest were dropped', { dropped_position: 3, kept_position: 7 }, 7],
    ['all were dropped', { dropped_position: 7, kept_position: null }, 7],
  ])('go on behind the newest where %s', (_, numbered, newest) => {
    expect(newestPosition(numbered)).toBe(newest)
  })

  it('are those of rows that are made, and of no test', () => {
    const numbering = new Numbering([['erp', 4]])
    const row = { subscription: 'erp', test: false }
    expect(numbering.next(row)).toBe(5)
    expect(numbering.next(row)).toBe(5)
    numbering.made(row)
    expect(numbering.take({ ...row, test: true })).toBeNull()
    expect(numbering.take({ subscription: 'other', test: false })).toBe(1)
    expect(numbering.take(row)).toBe(6)
  })

  const made: fc.Arbitrary<Made> = fc.record({
    subscription: fc.constantFrom('a', 'b'),
    test: fc.boolean(),
    conflicts: fc.boolean(),
    endsTransaction: fc.boolean(),
    isDropped: fc.boolean(),
  })
  it('have no hole, over transactions, conflicts, tests and rows that go', () => {
    fc.assert(
      fc.property(fc.array(made), (rows) => {
        for (const numbers of numbersOf(rows)) expect(numbers).toEqual(numbers.map((_, index) => index + 1))
      }),
    )
  })
})
