import * as fc from 'fast-check'
import type { Kind } from './world.ts'
import type { Findings, Round, Upheaval } from './world-run.ts'

export const NOTHING: Findings = { missed: [], invented: [], broken: [] }

const UPHEAVAL: fc.Arbitrary<Upheaval> = fc.record({
  list: fc.nat({ max: 9 }),
  kind: fc.constantFrom('empty', 'foreign', 'contradicted', 'exodus', 'homecoming'),
  size: fc.integer({ min: 5, max: 8 }),
  rounds: fc.integer({ min: 1, max: 3 }),
  findsById: fc.boolean(),
})

const ROUND: fc.Arbitrary<Round> = fc.record({
  mutations: fc.array(fc.nat(), { maxLength: 12 }),
  faults: fc.constantFrom(0, 0, 0.03, 0.2),
  drift: fc.constantFrom(0, 0.2, 0.5),
  kills: fc.constantFrom(0, 0, 0.02, 0.1),
  restart: fc.constantFrom(false, false, false, true),
  leapMs: fc.constantFrom(60_000, 60_000, 3_600_000, 86_400_000),
  upheaval: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, UPHEAVAL),
  verdict: fc.constantFrom(null, null, null, 'accept', 'reject'),
})

/** Few lists at a time, so that a life is short; the bench watches all of them at once. */
const RESOURCES = fc.constantFrom<readonly Kind[]>(
  ['shipment'],
  ['shipment'],
  ['shipment', 'invoice'],
  ['invoice'],
  ['document', 'purchase_order'],
  ['purchase_order', 'location'],
  ['order_preparation', 'location'],
)

/** What decides one life from its first day to its last; it shrinks to what is wrong. */
export const LIFE = fc.record({
  seed: fc.nat(),
  resources: RESOURCES,
  rounds: fc.array(ROUND, { minLength: 1, maxLength: 3 }),
})
