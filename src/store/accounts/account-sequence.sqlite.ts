import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const LAST = new Query<{ sequence: number }>('SELECT last_sequence AS sequence FROM accounts WHERE account = ?')
const AT = new Query<{ sequence: number; ref: number }>(`
  SELECT sequence, ref FROM events INDEXED BY events_sequence
  WHERE ifnull(account, '') = ? AND sequence BETWEEN 1 AND ? ORDER BY sequence DESC LIMIT 1`)

/**
 * The `sequence` of the account's last event at or before `ref`, or one between it and the next; 0 where there is none.
 * An account's events are numbered in the order of storing, so halving finds it, also where events were dropped.
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
