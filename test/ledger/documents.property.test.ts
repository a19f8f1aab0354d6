import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentUses } from '../../src/ledger/records.ts'
import { runs } from '../support/runs.ts'

const document = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null })
const step = fc.record({ adds: fc.boolean(), one: document, other: document })

test('a document is counted once for each row that points at it, netted over all', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const uses = new DocumentUses<string>()
      for (const { adds, one, other } of steps) {
        if (adds) uses.add(one, other)
        else uses.remove(one, other)
      }
      const sum = (of: string) =>
        steps.reduce((known, { adds, one, other }) => known + (one === of || other === of ? (adds ? 1 : -1) : 0), 0)
      for (const each of ['a', 'b', 'c']) expect(uses.of(each)).toBe(sum(each))
      const changed = ['a', 'b', 'c'].filter((each) => sum(each) !== 0).map((each) => [each, sum(each)])
      expect(Object.fromEntries(uses.changed)).toEqual(Object.fromEntries(changed))
    }),
    runs(100),
  )
})
