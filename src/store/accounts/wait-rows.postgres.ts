import { beganAt } from '../../ledger/settle.ts'
import type { AttemptResult, Cooldown } from '../../model/attempt-result.ts'
import type { SteadyMark, WaitStore } from '../ports/delivery-port.ts'
import type { Write } from '../server/connection-transaction.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { reconsiderAll } from '../endpoints/sync-endpoints.postgres.ts'

const LOAD = Query.frequent<SteadyMark>('SELECT latest, ahead AS "aheadMs" FROM steady_time')
const SAVE = new Query('UPDATE steady_time SET latest = greatest(latest, :latest), ahead = :aheadMs')
const COOLDOWNS = Query.frequent<Cooldown>('SELECT address, until FROM rests ORDER BY address')

// Whoever forgets one that is over waits for nobody who does the same.
const FORGET_OVER = new Query(`
  DELETE FROM rests WHERE address IN (
    SELECT address FROM rests WHERE until <= :over ORDER BY address FOR UPDATE SKIP LOCKED
  )`)
const SAVE_COOLDOWNS = new Query(`
  INSERT INTO rests AS rest SELECT address, max(until)
  FROM unnest(:addresses::text[], :untils::bigint[]) AS each (address, until) GROUP BY 1 ORDER BY address COLLATE "C"
  ON CONFLICT (address) DO UPDATE SET until = greatest(rest.until, excluded.until)`)
const BEGAN = new Query('UPDATE steady_time SET latest = :at WHERE latest < :at')

/**
 * Cooldowns that attempts were asked for; those that were over before are forgotten. All at once, because each statement is a round trip.
 */
export function saveCooldowns(attemptResults: readonly AttemptResult[], aheadMs: number): readonly Write[] {
  const asked = attemptResults.flatMap((attemptResult) => {
    const { attempt, cooldown } = attemptResult
    if (cooldown === undefined) return []
    return [{ ...cooldown, at: attempt === null ? 0 : beganAt(attemptResult, attempt, aheadMs) }]
  })
  if (asked.length === 0) return []
  const over = asked.reduce((latest, { at }) => Math.max(latest, at), 0)
  const addresses = asked.map(({ address }) => address)
  return [
    { query: FORGET_OVER, values: { over } },
    { query: SAVE_COOLDOWNS, values: { addresses, untils: asked.map(({ until }) => until) } },
  ]
}

/** A wait began at `at`, in steady time; null: none did. */
export function waitsBegan(at: number | null): readonly Write[] {
  return at === null ? [] : [{ query: BEGAN, values: { at } }]
}

export async function loadSteady(db: Pick<Database, 'one'>): Promise<SteadyMark> {
  return (await db.one(LOAD)) ?? { latest: 0, aheadMs: 0 }
}

export function waitStore(db: Database): WaitStore {
  return {
    waits: async () => ({ steady: await loadSteady(db), cooldowns: await db.all(COOLDOWNS) }),
    // Endpoints are held before the one row of the time, by everybody.
    keepSteadyTime: (mark) =>
      db.write(async (tx) => {
        await reconsiderAll(tx, mark.latest - mark.aheadMs)
        await tx.run(SAVE, { ...mark })
      }),
  }
}
