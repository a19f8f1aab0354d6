import Sqlite from 'better-sqlite3'
import type { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'

/** What a store keeps of events and rows that it dropped, for whoever asks its tables. `day`: days since 1970. */
export interface DailyTotals {
  readonly events: readonly object[]
  readonly deliveries: readonly object[]
}

const EVENTS = 'SELECT day, account, type, amount FROM event_days ORDER BY 1, 2, 3'
const DELIVERIES = 'SELECT day, subscription, state, amount, attempts FROM delivery_days ORDER BY 1, 2, 3'

export function totalsOfFile(path: string): DailyTotals {
  const db = new Sqlite(path, { readonly: true })
  try {
    const read = (sql: string) => db.prepare<[], object>(sql).all()
    return { events: read(EVENTS), deliveries: read(DELIVERIES) }
  } finally {
    db.close()
  }
}

export async function totalsOfDatabase(db: Database): Promise<DailyTotals> {
  return { events: await db.all(new Query<object>(EVENTS)), deliveries: await db.all(new Query<object>(DELIVERIES)) }
}
