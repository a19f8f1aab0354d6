import { expect, test } from 'vitest'
import { runs } from '../support/runs.ts'
import { liveHostile } from './hostile-life.ts'

test('behind hostile answers what could be read rings exactly once (guarantees D1 to D3, D8 and D9)', async () => {
  for (let seed = 1; seed <= runs(1).numRuns; seed += 1) {
    const { events, expected, invented, missed } = await liveHostile({ seed, rounds: 6, size: 40 })
    expect({ seed, missed, invented }).toEqual({ seed, missed: [], invented: [] })
    expect(events).toBe(expected)
  }
})
