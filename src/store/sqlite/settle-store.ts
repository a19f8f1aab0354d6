import type { SettleStore, SettlingRecord } from '../settle-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const DUE = new Query<SettlingRecord>(`
  SELECT resource, id FROM records
  WHERE account = ? AND settles_at <= ? AND settles_at IS NOT NULL AND removed_at IS NULL
  ORDER BY settles_at, resource, id`)
const NEXT = new Query<{ at: number | null }>(`
  SELECT min(settles_at) AS at FROM records
  WHERE account = ? AND settles_at IS NOT NULL AND removed_at IS NULL`)

export function settleStore(db: Connection): SettleStore {
  return {
    due: (account, until) => db.read(() => db.all(DUE, account, until)),
    nextAt: (account) => db.read(() => db.one(NEXT, account)?.at ?? null),
  }
}
