import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { comparePlaces, type Place } from './place.ts'
import type { SlipDay, SlipDaysAsked } from './dialect.ts'

// The largest of the next older day: one step in the index for each day.
const OLDER_DAY = new Query<Omit<SlipDay, 'account'>>(`
  SELECT day, size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day < CAST(? AS INTEGER) AND day >= CAST(? AS INTEGER)
  ORDER BY day DESC, size DESC, ref DESC LIMIT 1`)
const OF_DAY = new Query<Place>(`
  SELECT size AS key, ref FROM slips INDEXED BY slips_day
  WHERE account = CAST(? AS TEXT) AND day = CAST(? AS INTEGER) AND (size, ref) < (?, ?)
  ORDER BY size DESC, ref DESC LIMIT ?`)
/** The largest of each day of each account that comes behind a place. Step by step, as SQLite has no LATERAL. */
export function slipDays(db: Connection, { accounts, ...asked }: SlipDaysAsked): readonly SlipDay[] {
  return accounts.flatMap((account) => daysOf(db, account, asked))
}

function daysOf(
  db: Connection,
  account: string,
  { before, most, since }: Omit<SlipDaysAsked, 'accounts'>,
): readonly SlipDay[] {
  const days: SlipDay[] = []
  let day = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < most; looked += 1) {
    const largest = db.one(OLDER_DAY, account, day, since)
    if (largest === undefined) break
    day = largest.day
    const isBehind = comparePlaces(largest, before) < 0
    const head = isBehind ? largest : db.one(OF_DAY, account, day, before.key, before.ref, 1)
    if (head !== undefined) days.push({ ...head, account, day })
  }
  return days
}
