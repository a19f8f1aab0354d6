import type { LogQueryStore } from '../ports/log-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { SQLITE } from './dialect.sqlite.ts'
import { logQueries } from './log-query-store.ts'
import { atOnce, type Lookup } from './lookup.ts'

const QUERIES = logQueries(SQLITE)

export function logQueryStore(db: Connection): LogQueryStore {
  const read = <T>(lookup: (source: Connection) => Lookup<T>): Promise<T> => db.read(() => atOnce(lookup(db)))
  return QUERIES({ whole: read, single: read })
}
