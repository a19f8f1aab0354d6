import type { Learnt, LearntNews } from '../../model/learnt.ts'
import { unitOf, unitRow, type UnitRow } from './learnt-rows.ts'
import type { Transaction } from '../server/database.ts'
import { jsonRows } from '../server/statement-parts.ts'
import { Query } from '../server/query.ts'
import { TABLES } from '../tables/tables.ts'

const UNITS = new Query<UnitRow>(`SELECT ${TABLES.learnt.names} FROM learnt WHERE account = :account`)
const RHYTHM = new Query<{ rhythm: string | null }>('SELECT rhythm FROM accounts WHERE account = :account')
const SAVE = new Query(`${TABLES.learnt.insertAll()} ${TABLES.learnt.instead()}`)
const DROP = new Query(`
  DELETE FROM learnt USING json_to_recordset(:gone::json) AS row (resource text, what text, name text)
  WHERE account = :account AND learnt.resource = row.resource AND learnt.what = row.what AND learnt.name = row.name`)
const SAVE_RHYTHM = new Query('UPDATE accounts SET rhythm = :rhythm WHERE account = :account')

export async function loadLearnt(tx: Pick<Transaction, 'all' | 'one'>, account: string): Promise<Learnt> {
  const rhythm = (await tx.one(RHYTHM, { account }))?.rhythm ?? null
  const units = await tx.all(UNITS, { account })
  return { units: units.map(unitOf), profile: rhythm === null ? null : JSON.parse(rhythm) }
}

/** The account is held. */
export async function saveLearnt(
  tx: Transaction,
  account: string,
  { gone, profile, units }: LearntNews,
): Promise<void> {
  if (gone.length > 0) {
    const keys = gone.map(({ name, resource, what }) => ({ resource, what, name }))
    await tx.run(DROP, { account, gone: jsonRows(keys) })
  }
  const last = new Map(
    units.map((unit) => [JSON.stringify([unit.resource, unit.what, unit.name]), { ...unitRow(account, unit) }]),
  )
  if (last.size > 0) await tx.run(SAVE, { rows: jsonRows([...last.values()]) })
  if (profile !== null) await tx.run(SAVE_RHYTHM, { account, rhythm: JSON.stringify(profile) })
}
