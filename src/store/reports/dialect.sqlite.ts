import { loadDelivery, loadRows } from '../deliveries/ledger-rows.sqlite.ts'
import { endpointNames } from '../endpoints/endpoint-store.sqlite.ts'
import { lowerBoundSince } from '../events/event-totals.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query, type Value } from '../file/query.ts'
import type { Ask, Dialect, Values } from './dialect.ts'
import type { Lookup } from './lookup.ts'

export const SQLITE: Dialect<Connection> = {
  all,
  only: ({ sqlite }) => sqlite,
  isOneOf: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  by: (index) => `INDEXED BY ${index}`,
  thenJoin: 'CROSS JOIN',
  deliveries: (db, refs) => ready(loadRows(db, refs)),
  delivery: (db, id) => ready(loadDelivery(db, id)),
  endpointNames: (db) => ready(endpointNames(db)),
  lowerBoundSince: (db, at) => ready(lowerBoundSince(db, at)),
}

function all<Row>(sql: string): Ask<Connection, Row> {
  const query = new Query<Row>(sql)
  return (db, values) => ready(values === undefined ? db.all(query) : db.all(query, bound(values)))
}

/** Lists as JSON: SQLite has no arrays. */
function bound(values: Values): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
}

/** What SQLite answered: there is nothing to wait for. */
function* ready<T>(value: T): Lookup<T> {
  yield* []
  return value
}
