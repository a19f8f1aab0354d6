import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { CLAIMED, type LaneRow, laneRows, misplaced } from './lane-rows.ts'
import { LIMITS, type Race, RACES, RaceWorld } from './race-world.ts'

const TALLIES = new Query<{ problem: string }>(`
  SELECT concat_ws(' ', 'tally', subscription, state, told.amount, real.amount) AS problem FROM
    (SELECT * FROM tallies WHERE amount <> 0) AS told FULL JOIN
    (SELECT subscription, state, count(*) AS amount FROM deliveries WHERE test = 0 GROUP BY 1, 2) AS real
    USING (subscription, state)
  WHERE told.amount IS DISTINCT FROM real.amount`)
const DEFERRALS = new Query<{ problem: string }>(`
  SELECT concat_ws(' ', 'deferral', subscription, wake_at, told.amount, real.amount) AS problem FROM deferrals AS told FULL JOIN
    (SELECT subscription, wake_at, count(*) AS amount FROM deliveries WHERE is_deferred(deliveries) GROUP BY 1, 2) AS real
    USING (subscription, wake_at)
  WHERE told.amount IS DISTINCT FROM real.amount`)
const LANES = new Query<LaneRow>(laneRows(CLAIMED))
const CLAIMS = new Query<{ subscription: string; amount: number }>(`
  SELECT subscription, count(*) AS amount FROM claims WHERE until > :now GROUP BY 1`)
const LOG = new Query<{ amount: number; last: number; sequence: number }>(`
  SELECT count(*) AS amount, coalesce(max(ref), 0) AS last, coalesce(max(sequence), 0) AS sequence FROM events`)
const OPEN = new Query<{ problem: string }>(`
  SELECT concat_ws(' ', id, state) AS problem FROM deliveries WHERE state IN ('pending', 'held')`)

/** What workers do all the time comes more often than what people do. */
const KINDS = [...RACES, 'ring', 'claim', 'claim', 'deliver', 'deliver', 'fail', 'gather', 'die'] as const

const race: fc.Arbitrary<Race> = fc.record({
  kind: fc.constantFrom(...KINDS),
  by: fc.constantFrom(0, 1),
  pick: fc.nat(999),
})

test('whatever two workers do at once, lanes, limits and counts hold, and all is delivered in the end', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(race, { minLength: 2, maxLength: 5 }), { minLength: 5, maxLength: 25, size: 'max' }),
      async (rounds) => {
        const url = await databases.take()
        {
          await using one = await openPostgresStore({ url, pool: 3 })
          await using two = await openPostgresStore({ url, pool: 3 })
          await using db = new Database({ url, pool: 1 })
          const world = new RaceWorld([one, two])
          await world.begin()
          for (const races of rounds) {
            await world.round(races)
            await judge(db, world)
          }
          await world.end()
          await judge(db, world)
          expect(await db.all(OPEN)).toEqual([])
        }
        await databases.giveBack(url)
      },
    ),
    runs(2),
  )
}, 600_000)

async function judge(db: Database, world: RaceWorld): Promise<void> {
  for (const query of [TALLIES, DEFERRALS]) expect(await db.all(query)).toEqual([])
  expect(misplaced(await db.all(LANES))).toEqual([])
  const claims = new Map((await db.all(CLAIMS, { now: world.now })).map((row) => [row.subscription, row.amount]))
  for (const [name, { concurrency }] of LIMITS) expect(claims.get(name) ?? 0).toBeLessThanOrEqual(concurrency)
  expect(world.ownersOf('mail').size).toBeLessThanOrEqual(1)
  const amount = world.events
  expect(await db.one(LOG)).toEqual({ amount, last: amount, sequence: amount })
}
