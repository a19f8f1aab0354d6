import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../src/app/workers/fair-share.ts'
import { newestOf } from '../../../src/operate/newest-worker.ts'
import { HOUSEKEEPING } from '../../../src/app/workers/units.ts'
import type { LiveWorker, UnitState } from '../../../src/store/ports/worker-port.ts'

function worker(id: string, facts: Partial<LiveWorker> = {}): LiveWorker {
  const process = { host: 'one', pid: 1, command: 'run', version: '1.0.0', port: null }
  return { id, ...process, config: 'same', loadedAt: 1, since: 1, ...facts }
}

type Holders = Map<string, string | null>

function unitsOf(holders: Holders): readonly UnitState[] {
  return [...holders].map(([unit, holder]) => ({ unit, worker: holder, accounts: [], epoch: 1 }))
}

/** What one worker does after a look, the way the database lets it. */
function step(me: string, workers: readonly LiveWorker[], { holders, wanted }: World): number {
  const { give, take } = shareOf({ me, workers, units: unitsOf(holders), wanted })
  for (const unit of give) holders.set(unit, null)
  const taken = take.units.filter((unit) => (holders.get(unit) ?? null) === null).slice(0, take.most)
  for (const unit of taken) holders.set(unit, me)
  return give.length + taken.length
}

interface World {
  readonly holders: Holders
  readonly wanted: readonly string[]
}

const world = fc.record({
  amount: fc.integer({ min: 1, max: 7 }),
  units: fc.array(fc.option(fc.nat({ max: 8 })), { maxLength: 60 }),
  house: fc.option(fc.nat({ max: 8 })),
})

function made({ amount, house, units }: { amount: number; house: number | null; units: readonly (number | null)[] }) {
  const workers = Array.from({ length: amount }, (_, nth) => worker(`w${nth}`))
  const holder = (nth: number | null): string | null => (nth === null || nth >= amount ? null : `w${nth}`)
  const wanted = units.map((_, nth) => `unit ${nth}`)
  const holders: Holders = new Map(wanted.map((unit, nth) => [unit, holder(units[nth] ?? null)]))
  holders.set(HOUSEKEEPING, holder(house))
  return { workers, wanted, holders }
}

describe('the share of each worker', () => {
  it('is even soon, from wherever it begins, and then nothing moves', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { workers, ...held } = made(given)
        const rounds = Math.ceil(held.wanted.length / 4) + 2
        for (let round = 0; round < rounds; round += 1) for (const { id } of workers) step(id, workers, held)
        const amounts = workers.map(({ id }) => held.wanted.filter((unit) => held.holders.get(unit) === id).length)
        expect(amounts.reduce((sum, each) => sum + each)).toBe(held.wanted.length)
        expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1)
        expect(held.holders.get(HOUSEKEEPING)).not.toBeNull()
        for (const { id } of workers) expect(step(id, workers, held)).toBe(0)
      }),
    )
  })

  it('moves no more than it has to where one joins', () => {
    const holders: Holders = new Map(Array.from({ length: 60 }, (_, nth) => [`unit ${nth}`, nth % 2 === 0 ? 'a' : 'b']))
    const world = { holders, wanted: [...holders.keys()] }
    holders.set(HOUSEKEEPING, 'a')
    const workers = [worker('a'), worker('b'), worker('c')]
    let moved = 0
    for (let round = 0; round < 10; round += 1) for (const { id } of workers) moved += step(id, workers, world)
    expect(moved).toBe(2 * 20)
    expect(holders.get(HOUSEKEEPING)).toBe('a')
  })

  it('is nothing for a worker whose configuration is not the newest one', () => {
    const old = worker('a', { config: 'old', loadedAt: 1 })
    const current = worker('b', { config: 'new', loadedAt: 2 })
    const units = unitsOf(
      new Map([
        ['x', 'a'],
        [HOUSEKEEPING, 'a'],
        ['y', null],
      ]),
    )
    const workers = [old, current]
    expect(newestOf(workers)).toBe(current)
    expect(shareOf({ me: 'a', workers, units, wanted: ['x', 'y'] })).toEqual({
      isCurrent: false,
      take: { units: [], most: 0 },
      give: ['x', HOUSEKEEPING],
    })
    expect(shareOf({ me: 'b', workers, units, wanted: ['x', 'y'] })).toEqual({
      isCurrent: true,
      take: { units: ['y'], most: 1 },
      give: [],
    })
  })

  it('leaves out who only passes by, and what is no longer configured', () => {
    const workers = [worker('a'), worker('b', { command: 'once', loadedAt: 9, config: 'another' })]
    const units = unitsOf(
      new Map([
        ['x', 'b'],
        ['gone', 'a'],
        [HOUSEKEEPING, 'a'],
      ]),
    )
    expect(newestOf(workers)?.id).toBe('a')
    const share = shareOf({ me: 'a', workers, units, wanted: ['x', 'y'] })
    expect(share).toEqual({ isCurrent: true, take: { units: ['y'], most: 1 }, give: ['gone'] })
  })
})
