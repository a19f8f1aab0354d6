import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { Reopening } from './reopening.ts'
import type { Kind } from './world.ts'
import { WorldRun, type Findings, type Round, type Upheaval } from './world-run.ts'

const NOTHING: Findings = { missed: [], invented: [], broken: [] }

const UPHEAVAL: fc.Arbitrary<Upheaval> = fc.record({
  list: fc.nat({ max: 9 }),
  kind: fc.constantFrom('empty', 'foreign', 'exodus', 'homecoming'),
  findsById: fc.boolean(),
})

const ROUND: fc.Arbitrary<Round> = fc.record({
  mutations: fc.array(fc.nat(), { maxLength: 12 }),
  faults: fc.constantFrom(0, 0, 0.03, 0.2),
  drift: fc.constantFrom(0, 0.2, 0.5),
  kills: fc.constantFrom(0, 0, 0.02, 0.1),
  restart: fc.constantFrom(false, false, false, true),
  leapMs: fc.constantFrom(60_000, 60_000, 3_600_000, 86_400_000),
  upheaval: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, UPHEAVAL),
  verdict: fc.constantFrom(null, null, 'accept', 'reject'),
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

const LIFE = fc.record({
  seed: fc.nat(),
  resources: RESOURCES,
  rounds: fc.array(ROUND, { minLength: 1, maxLength: 3 }),
})

describe('a world and its oracle (contract sections 3 and 4)', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-world-'))
  let lives = 0
  let store: Reopening | null = null
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A few lives share a file: opening a new one costs as much as living. */
  async function storeOf(life: number): Promise<Reopening> {
    if (store !== null && life % 20 !== 0) return store
    await store?.[Symbol.asyncDispose]()
    store = new Reopening(path.join(folder, `${life}.db`))
    return store
  }

  test('what a read could see rings exactly once, and nothing else rings', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(LIFE, async ({ rounds, ...life }) => {
        lives += 1
        const file = await storeOf(lives)
        const run = new WorldRun({
          ...life,
          account: `world-${lives}`,
          fewest: 4,
          open: async (again) => file.open(again),
        })
        for (const round of rounds) expect(await run.round(round)).toEqual(NOTHING)
        for (const findings of await run.settle()) expect(findings).toEqual(NOTHING)
      }),
      { numRuns: 200, seed: 1 },
    )
  })
})
