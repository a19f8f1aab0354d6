import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PHASES } from '../../src/model/phase.ts'
import type { KnownItem } from '../../src/plan/change-estimator.ts'
import { KnownItems } from '../../src/plan/known-items.ts'
import { keyOf } from '../../src/plan/target.ts'

const instant = fc.integer({ min: -1e12, max: 5e13 })
const maybe = fc.option(instant)
const item: fc.Arbitrary<KnownItem> = fc.record({
  target: fc.record({
    kind: fc.constant('item' as const),
    resource: fc.constantFrom('tracking' as const, 'order_preparation' as const),
    id: fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('a b', 'tracking', ' ')),
  }),
  activity: fc.record({
    changes: fc.double({ min: 0, noNaN: true }),
    expected: fc.double({ min: 0, noNaN: true }),
    at: instant,
  }),
  readAt: instant,
  phase: fc.option(fc.record({ phase: fc.constantFrom(...PHASES), until: maybe })),
  endsAt: maybe,
})

describe('items that are known', () => {
  it('are what a map of them would hold, in its order, whatever comes and goes', () => {
    const step = fc.record({ item, isGone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const items = new KnownItems()
        const map = new Map<string, KnownItem>()
        for (const { item, isGone } of steps) {
          const key = keyOf(item.target)
          if (isGone) {
            items.delete(key)
            map.delete(key)
          } else {
            items.put(item)
            map.set(key, item)
          }
          expect(items.get(key)).toEqual(map.get(key))
          expect(items.has(key)).toBe(map.has(key))
        }
        expect([...items.values()]).toEqual([...map.values()])
      }),
    )
  })
})
