import { TABLES } from '../tables/tables.ts'
import type { Cooldown } from '../../model/attempt-result.ts'
import type { SteadyMark } from '../ports/delivery-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const LOAD = new Query<SteadyMark>('SELECT latest, ahead AS aheadMs FROM steady_time')
const SAVE = 'UPDATE steady_time SET latest = max(latest, :latest), ahead = :aheadMs'
const BEGIN = 'UPDATE steady_time SET latest = ? WHERE latest < ?'

export function loadSteady(db: Connection): SteadyMark {
  return db.one(LOAD) ?? { latest: 0, aheadMs: 0 }
}

/** Runs inside the caller's write transaction, as does `waitsBegan`. */
export function saveSteady(db: Connection, mark: SteadyMark): void {
  db.run(SAVE, { ...mark })
}

export function waitsBegan(db: Connection, at: number): void {
  db.run(BEGIN, at, at)
}

const COOLDOWNS = new Query<Cooldown>('SELECT address, until FROM rests ORDER BY address')
const SAVE_COOLDOWN = `
  ${TABLES.rests.insertNamed}
  ON CONFLICT DO UPDATE SET until = max(until, :until)`
const FORGET_OVER = 'DELETE FROM rests WHERE until <= ?'

export function loadCooldowns(db: Connection): readonly Cooldown[] {
  return db.all(COOLDOWNS)
}

/**
 * Runs inside the caller's write transaction; forgets those that are over at `now`. One by one, because a statement of SQLite is no round
 * trip.
 */
export function saveCooldown(db: Connection, { address, until }: Cooldown, now: number): void {
  db.run(FORGET_OVER, now)
  db.run(SAVE_COOLDOWN, { address, until })
}
