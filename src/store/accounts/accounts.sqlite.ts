import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { AccountPause, AccountRestraint, LearnedCeiling } from '../../model/account-limits.ts'
import { MOST_OF_A_RESOURCE, restraintOf, type RestraintRow, unitOf, unitRow, type UnitRow } from './accounts.ts'
import type { Learnt, LearntNews } from '../../model/learnt.ts'
import { TABLES } from '../tables/tables.ts'
import type { QuarantineWrite, RejectionSource } from '../ports/account-state-port.ts'

const REGISTER = 'INSERT INTO accounts (account) VALUES (?) ON CONFLICT DO NOTHING'

/**
 * Makes sure that an account has the row that its others refer to. Asks the store once for each account of a connection. No account
 * is held, because SQLite has one writer at a time.
 */
export function registerAccount(db: Connection, account: string): void {
  db.once(REGISTER, account)
}

const LAST = new Query<{ sequence: number }>('SELECT last_sequence AS sequence FROM accounts WHERE account = ?')
const AT = new Query<{ sequence: number; ref: number }>(`
  SELECT sequence, ref FROM events INDEXED BY events_sequence
  WHERE ifnull(account, '') = ? AND sequence BETWEEN 1 AND ? ORDER BY sequence DESC LIMIT 1`)

/**
 * The `sequence` of the account's last event at or before `ref`, or one between it and the next; 0 where there is none.
 * An account's events are numbered in the order of storing, so halving finds it, also where events were dropped: step by
 * step, because a statement of SQLite is no round trip.
 */
export function sequenceAt(db: Connection, account: string, ref: number): number {
  let [low, high] = [0, db.one(LAST, account)?.sequence ?? 0]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const event = db.one(AT, account, middle)
    // Where nothing is left up to the middle, what was there came before.
    if (event === undefined || event.ref <= ref) low = middle
    else high = event.sequence - 1
  }
  return low
}

const FIND = new Query<RestraintRow>('SELECT pause, ceiling FROM accounts WHERE account = ?')
const SAVE = 'UPDATE accounts SET pause = ? WHERE account = ?'
const SAVE_CEILING = 'UPDATE accounts SET ceiling = ? WHERE account = ?'

export function loadRestraint(db: Connection, account: string): AccountRestraint {
  return restraintOf(db.one(FIND, account))
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function savePause(db: Connection, account: string, pause: AccountPause | null): void {
  db.run(SAVE, pause === null ? null : JSON.stringify(pause), account)
}

/** Runs inside the caller's write transaction; the account's row exists. */
export function saveCeiling(db: Connection, account: string, ceiling: LearnedCeiling | null): void {
  db.run(SAVE_CEILING, ceiling === null ? null : JSON.stringify(ceiling), account)
}

const UNITS = new Query<UnitRow>(`SELECT ${TABLES.learnt.names} FROM learnt WHERE account = ?`)
const RHYTHM = new Query<{ rhythm: string | null }>('SELECT rhythm FROM accounts WHERE account = ?')
const SAVE_UNIT = TABLES.learnt.upsert
const DROP_UNIT = 'DELETE FROM learnt WHERE account = ? AND resource = ? AND what = ? AND name = ?'
const SAVE_RHYTHM = 'UPDATE accounts SET rhythm = ? WHERE account = ?'

export function loadLearnt(db: Connection, account: string): Learnt {
  const rhythm = db.one(RHYTHM, account)?.rhythm ?? null
  return { units: db.all(UNITS, account).map(unitOf), profile: rhythm === null ? null : JSON.parse(rhythm) }
}

/** Runs inside the caller's write transaction; the account's row exists. Row by row, because a statement of SQLite is no round trip. */
export function saveLearnt(db: Connection, account: string, { gone, profile, units }: LearntNews): void {
  for (const { resource, what, name } of gone) db.run(DROP_UNIT, account, resource, what, name)
  for (const unit of units) db.run(SAVE_UNIT, { ...unitRow(account, unit) })
  if (profile !== null) db.run(SAVE_RHYTHM, JSON.stringify(profile), account)
}

const ANY_REJECTION = new Query<{ ref: number }>(
  'SELECT ref FROM rejections WHERE account = ? AND resource = ? LIMIT 1',
)
const FIND_REASONS = new Query<{ reason: string }>(
  'SELECT reason FROM rejections WHERE account = ? AND resource = ? AND via = ? AND id = ? ORDER BY ref',
)
const REMEMBER = `${TABLES.rejections.without('ref').insert} ON CONFLICT DO NOTHING`
const FORGET = 'DELETE FROM rejections WHERE account = ? AND resource = ? AND via = ? AND id = ?'
const TRIM = `
  DELETE FROM rejections WHERE account = :account AND resource = :resource AND ref <= (
    SELECT ref FROM rejections WHERE account = :account AND resource = :resource
    ORDER BY ref DESC LIMIT 1 OFFSET :most)`

/** Most resources have none. */
export function hasRejections(db: Connection, account: string, resource: string): boolean {
  return db.one(ANY_REJECTION, account, resource) !== undefined
}

/** Id by id, by the texts themselves, because SQLite bounds no key of an index, and a statement of it is no round trip. */
export function loadRejections(
  db: Connection,
  { account, resource, via }: RejectionSource & { readonly account: string },
  ids: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const id of ids) {
    const reasons = db.all(FIND_REASONS, account, resource, via, id).map(({ reason }) => reason)
    if (reasons.length > 0) found.set(id, reasons)
  }
  return found
}

/** Runs inside the caller's write transaction. */
export function saveQuarantine(db: Connection, account: string, write: QuarantineWrite): void {
  const { resource, via, remember, forget } = write
  for (const id of forget) db.run(FORGET, account, resource, via, id)
  for (const { id, reason } of remember) db.run(REMEMBER, account, resource, via, id ?? '', reason)
  if (remember.length > 0) db.run(TRIM, { account, resource, most: MOST_OF_A_RESOURCE })
}
