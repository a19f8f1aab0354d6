import { disabled, type Disabling, enabledAnew, type Gate, gateOf, isOpen } from '../../ledger/endpoint-state.ts'
import { STANDINGS, type StandingRow, toStanding } from './endpoint-record.ts'
import type { EndpointDisabling } from '../ports/admin-port.ts'
import type { EndpointStore } from '../ports/delivery-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { EndpointRecords } from './endpoint-record.sqlite.ts'
import { settleSlice } from './sync-endpoints.sqlite.ts'

const REGISTER = 'INSERT INTO endpoints (subscription) VALUES (?) ON CONFLICT DO NOTHING'
const NAMES = new Query<{ subscription: string }>('SELECT subscription FROM endpoints ORDER BY subscription')
const GATE = new Query<Parameters<typeof gateOf>[0]>(
  'SELECT configured, enabled, disabled_at, queued_to, recovering FROM endpoints WHERE subscription = ?',
)

/** Whether rows of a subscription may be pending. One that is unknown is not open. */
export function isOpenAt(db: Connection, subscription: string): boolean {
  const endpoint = db.one(GATE, subscription)
  return endpoint !== undefined && isOpen(endpoint)
}

/** What may be sent of a subscription now. Of one that is unknown nothing is. */
export function gateAt(db: Connection, subscription: string): Gate {
  const endpoint = db.one(GATE, subscription)
  return endpoint === undefined ? 'shut' : gateOf(endpoint)
}

/** Makes sure that an endpoint has its row, which is never dropped. Asks the store once for each of a connection. */
export function registerEndpoint(db: Connection, subscription: string): void {
  db.once(REGISTER, subscription)
}

export function endpointNames(db: Connection): readonly string[] {
  return db.all(NAMES).map(({ subscription }) => subscription)
}

/** Disables an endpoint, and has its rows follow; the first reason stays. Nothing is held, because SQLite has one writer at a time. */
function shut(db: Connection, { subscription, ...why }: Disabling & { readonly subscription: string }): void {
  registerEndpoint(db, subscription)
  const endpoints = new EndpointRecords(db)
  const before = endpoints.of(subscription)
  const endpoint = disabled(before, why)
  if (endpoint === before) return
  endpoints.set(endpoint)
  endpoints.write()
  unsettle(db, subscription, why.at)
}

/** Enables an endpoint; its rows do not follow yet. */
export function enableAnew(db: Connection, subscription: string): void {
  registerEndpoint(db, subscription)
  const endpoints = new EndpointRecords(db)
  endpoints.set(enabledAnew(endpoints.of(subscription)))
  endpoints.write()
}

/** Marks the rows of an endpoint to follow it, and moves the first slice of them at once. */
export function unsettle(db: Connection, subscription: string, at: number): void {
  db.run('UPDATE endpoints SET unsettled = 1 WHERE subscription = ?', subscription)
  settleSlice(db, at, subscription)
}

const FACTS = new Query<StandingRow>(STANDINGS)
const STILL_FAILS = new Query('SELECT 1 FROM endpoints WHERE subscription = ? AND failing_since = ?')

/** Disables an endpoint for a command, or because it failed for too long, where it still does. */
export function disable(db: Connection, subscription: string, { failingSince, ...why }: EndpointDisabling): void {
  if (failingSince === undefined) shut(db, { subscription, ...why, by: 'command' })
  else if (db.one(STILL_FAILS, subscription, failingSince) !== undefined)
    shut(db, { subscription, ...why, by: 'failing' })
}

export function endpointStore(db: Connection): EndpointStore {
  return { endpointFacts: () => db.read(() => db.all(FACTS).map(toStanding)) }
}
