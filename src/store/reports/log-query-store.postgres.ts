import type { LogQueryStore } from '../ports/log-query-port.ts'
import type { Database } from '../server/database.ts'
import { POSTGRES } from './dialect.postgres.ts'
import { logQueries } from './log-query-store.ts'
import { awaited } from './lookup.ts'

const QUERIES = logQueries(POSTGRES)

export function logQueryStore(db: Database): LogQueryStore {
  return QUERIES({
    whole: (lookup) => db.read(async (tx) => await awaited(lookup({ db, tx }))),
    single: (lookup) => awaited(lookup({ db, tx: db })),
  })
}
