import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare } from '../../src/detect/compare/compare.ts'
import { detectChange } from '../../src/detect/detect-change.ts'
import { RESOURCE_RULES } from '../../src/detect/resource-rules.ts'
import { ARBITRARIES } from './arbitraries.ts'
import { baseline, readAt } from './reads.ts'

const RESOURCES = ['shipment', 'tracking', 'invoice', 'document', 'purchase_order', 'location'] as const

/** Rules that changed as much as rules can: those of another resource. */
const OTHERS = RESOURCES.flatMap((written) =>
  RESOURCES.filter((read) => read !== written).map((read) => [written, read] as const),
)

function isSilent(written: (typeof RESOURCES)[number], read: (typeof RESOURCES)[number]): void {
  fc.assert(
    fc.property(ARBITRARIES[written], (record) => {
      const before = baseline(written, record)
      const after = structuredClone(record)
      expect(compare(RESOURCE_RULES[read].shape, before.reported ?? {}, after)).toEqual([])
      const { events } = detectChange({
        account: 'acme',
        resource: read,
        id: before.id,
        before,
        after,
        read: readAt(1),
        mode: 'ring',
        absentAt: null,
        ignore: [],
        shipment: null,
      })
      expect(events).toEqual([])
    }),
    { numRuns: 25 },
  )
}

describe('an upgrade of the rules (guarantee D5)', () => {
  it.for(OTHERS)('rings nothing for a %s that is unchanged, read by the rules of a %s', ([written, read]) => {
    isSilent(written, read)
  })
})
