import type { Learnt, LearntNews } from '../../model/learnt.ts'
import { unitOf, unitRow, type UnitRow } from './learnt-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { TABLES } from '../tables/tables.ts'

const UNITS = new Query<UnitRow>(`SELECT ${TABLES.learnt.names} FROM learnt WHERE account = ?`)
const RHYTHM = new Query<{ rhythm: string | null }>('SELECT rhythm FROM accounts WHERE account = ?')
const SAVE_UNIT = TABLES.learnt.upsert
const DROP_UNIT = 'DELETE FROM learnt WHERE account = ? AND resource = ? AND what = ? AND name = ?'
const SAVE_RHYTHM = 'UPDATE accounts SET rhythm = ? WHERE account = ?'

export function loadLearnt(db: Connection, account: string): Learnt {
  const rhythm = db.one(RHYTHM, account)?.rhythm ?? null
  return { units: db.all(UNITS, account).map(unitOf), profile: rhythm === null ? null : JSON.parse(rhythm) }
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function saveLearnt(db: Connection, account: string, { gone, profile, units }: LearntNews): void {
  for (const { resource, what, name } of gone) db.run(DROP_UNIT, account, resource, what, name)
  for (const unit of units) db.run(SAVE_UNIT, { ...unitRow(account, unit) })
  if (profile !== null) db.run(SAVE_RHYTHM, JSON.stringify(profile), account)
}
