import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { AccountPause, AccountRestraint, LearnedCeiling } from '../../model/account-limits.ts'
import { MOST_OF_A_RESOURCE, restraintOf, type RestraintRow, unitOf, unitRow, type UnitRow } from './accounts.ts'
import type { Learnt, LearntNews } from '../../model/learnt.ts'
import { jsonRows } from '../server/statement-parts.ts'
import { TABLES } from '../tables/tables.ts'
import type { QuarantineWrite, RejectionSource } from '../ports/account-state-port.ts'

const LOCK = Query.frequent<{ account: string; sequence: number }>(`
  SELECT account, last_sequence AS sequence FROM accounts WHERE account = ANY(:accounts::text[])
  ORDER BY account FOR NO KEY UPDATE`)
const REGISTER = new Query(`
  INSERT INTO accounts (account) SELECT account FROM unnest(:accounts::text[]) AS new (account) ORDER BY account
  ON CONFLICT DO NOTHING`)

/**
 * Holds accounts until the transaction ends: whoever writes their records, lists and pages does, so that what it has read of them
 * is still so when it writes, because other workers write at the same time. Makes the rows that are missing. Returns the last
 * `sequence` of each.
 */
export async function lockAccounts(tx: Transaction, names: Iterable<string>): Promise<ReadonlyMap<string, number>> {
  const accounts = [...new Set(names)]
  let rows = await tx.all(LOCK, { accounts })
  if (rows.length < accounts.length) {
    await tx.run(REGISTER, { accounts })
    rows = await tx.all(LOCK, { accounts })
  }
  return new Map(rows.map(({ account, sequence }) => [account, sequence]))
}

// An account's events are numbered in the order of storing: halving finds the place, also where events were dropped. Where nothing
// is left up to the middle, what was there came before. The statement halves by itself, because each is a round trip.
const AT = new Query<{ sequence: number }>(`
  WITH RECURSIVE halving AS (
    SELECT 0::bigint AS low, coalesce((SELECT last_sequence FROM accounts WHERE account = :account), 0) AS high
    UNION ALL
    SELECT CASE WHEN middle.is_before THEN middle.place ELSE low END,
      CASE WHEN middle.is_before THEN high ELSE middle.sequence - 1 END
    FROM halving CROSS JOIN LATERAL (
      SELECT (low + high + 1) / 2 AS place, event.sequence, coalesce(event.ref <= :ref, true) AS is_before
      FROM (SELECT 1) AS always LEFT JOIN LATERAL (
        SELECT sequence, ref FROM events
        WHERE coalesce(account, '') = :account AND sequence BETWEEN 1 AND (low + high + 1) / 2
        ORDER BY sequence DESC LIMIT 1
      ) AS event ON true
    ) AS middle
    WHERE low < high
  )
  SELECT low AS sequence FROM halving WHERE low >= high LIMIT 1`)

/** The `sequence` of the account's last event at or before `ref`, or one between it and the next; 0 where there is none. */
export async function sequenceAt(tx: Pick<Transaction, 'one'>, account: string, ref: number): Promise<number> {
  return (await tx.one(AT, { account, ref }))?.sequence ?? 0
}

const FIND = new Query<RestraintRow>('SELECT pause, ceiling FROM accounts WHERE account = :account')
const SAVE_PAUSE = new Query('UPDATE accounts SET pause = :pause WHERE account = :account')
const SAVE_CEILING = new Query('UPDATE accounts SET ceiling = :ceiling WHERE account = :account')

export async function loadRestraint(tx: Pick<Transaction, 'one'>, account: string): Promise<AccountRestraint> {
  return restraintOf(await tx.one(FIND, { account }))
}

/** The account is held, as it is for `saveCeiling`. */
export async function savePause(tx: Transaction, account: string, pause: AccountPause | null): Promise<void> {
  await tx.run(SAVE_PAUSE, { account, pause: pause === null ? null : JSON.stringify(pause) })
}

export async function saveCeiling(tx: Transaction, account: string, ceiling: LearnedCeiling | null): Promise<void> {
  await tx.run(SAVE_CEILING, { account, ceiling: ceiling === null ? null : JSON.stringify(ceiling) })
}

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

/** The account is held. All rows at once, because each statement is a round trip. */
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

type OfAccount = RejectionSource & { readonly account: string }

// Ids and reasons may be longer than PostgreSQL lets a key of an index be: they are found by their digests. All ids at once, because each
// statement is a round trip.
const FIND_REASONS = Query.frequent<{ id: string; reason: string }>(`
  SELECT wanted.id, reason FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (id, place) JOIN rejections
    ON account = :account AND resource = :resource AND via = :via AND text_digest(rejections.id) = text_digest(wanted.id)
      AND rejections.id = wanted.id
  WHERE EXISTS (SELECT 1 FROM rejections WHERE account = :account AND resource = :resource)
  ORDER BY place, ref`)
const REMEMBER = new Query(`
  INSERT INTO rejections (account, resource, via, id, reason)
  SELECT :account, :resource, :via, id, reason FROM unnest(:ids::text[], :reasons::text[]) AS row (id, reason)
  ON CONFLICT DO NOTHING`)
const FORGET = new Query(`
  DELETE FROM rejections USING unnest(:ids::text[]) AS row (id)
  WHERE account = :account AND resource = :resource AND via = :via AND text_digest(rejections.id) = text_digest(row.id)
    AND rejections.id = row.id`)
const TRIM = new Query(`
  DELETE FROM rejections WHERE account = :account AND resource = :resource AND ref <= (
    SELECT ref FROM rejections WHERE account = :account AND resource = :resource ORDER BY ref DESC LIMIT 1 OFFSET :most)`)

/** Most resources have none: then one look is enough. */
export async function loadRejections(
  tx: Pick<Transaction, 'all'>,
  { account, resource, via }: OfAccount,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.all(FIND_REASONS, { account, resource, via, ids: [...new Set(ids)] })
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => [id, found.map(({ reason }) => reason)]))
}

/** The account is held. */
export async function saveQuarantine(tx: Transaction, account: string, write: QuarantineWrite): Promise<void> {
  const { forget, remember, resource, via } = write
  const source = { account, resource, via }
  if (forget.length > 0) await tx.run(FORGET, { ...source, ids: forget })
  if (remember.length === 0) return
  const [ids, reasons] = [remember.map(({ id }) => id ?? ''), remember.map(({ reason }) => reason)]
  await tx.run(REMEMBER, { ...source, ids, reasons })
  await tx.run(TRIM, { account, resource, most: MOST_OF_A_RESOURCE })
}
