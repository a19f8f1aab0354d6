import type { SteadyMark } from '../steady-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

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
