import type { DisabledBy } from '../../model/endpoint.ts'
import { type FactsRow, toFacts } from './endpoint-facts.ts'
import type { EndpointLoad, EndpointStore, GivingUp } from '../ports/delivery-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { settleSlice } from './settle-slice.sqlite.ts'

const DISABLE = `
  UPDATE endpoints SET disabled_reason = :reason, disabled_at = :at, disabled_by = :by
  WHERE subscription = :subscription AND disabled_at IS NULL`
const REGISTER = 'INSERT INTO endpoints (subscription) VALUES (?) ON CONFLICT DO NOTHING'
const NAMES = new Query<{ subscription: string }>('SELECT subscription FROM endpoints ORDER BY subscription')
const OPEN = 'subscription = ? AND configured = 1 AND enabled = 1 AND disabled_at IS NULL'
const IS_OPEN = new Query(`SELECT 1 FROM endpoints WHERE ${OPEN}`)
const SENDING = new Query<{ recovering: number }>(
  `SELECT recovering FROM endpoints WHERE ${OPEN} AND queued_to IS NULL`,
)

/**
 * Whether rows of a subscription may be pending: it is configured, enabled in the file, and nothing disabled it.
 * Rows of an open endpoint are not `held`, rows of any other not `pending`, once they have followed it (`settleSlice`).
 * A test's row is pending wherever there is an address to send it to: an endpoint is tried before it is enabled again.
 */
export function isOpen(db: Connection, subscription: string): boolean {
  return db.one(IS_OPEN, subscription) !== undefined
}

/**
 * What may be sent of a subscription now, whatever the states of its rows: `shut`, nothing but tests; `recovering`, also what
 * waits for its schedule.
 */
export function gateOf(db: Connection, subscription: string): 'open' | 'recovering' | 'shut' {
  const sending = db.one(SENDING, subscription)
  if (sending === undefined) return 'shut'
  return sending.recovering === 1 ? 'recovering' : 'open'
}

/** Makes sure that an endpoint has its row, which is never dropped. Asks the store once for each of a connection. */
export function registerEndpoint(db: Connection, subscription: string): void {
  db.once(REGISTER, subscription)
}

export function endpointNames(db: Connection): readonly string[] {
  return db.all(NAMES).map(({ subscription }) => subscription)
}

export interface Shutting {
  readonly subscription: string
  readonly reason: string
  readonly at: number
  readonly by: DisabledBy
}

/** Shuts an endpoint; the first reason stays. */
export function shut(db: Connection, endpoint: Shutting): void {
  const { subscription, at } = endpoint
  registerEndpoint(db, subscription)
  if (db.run(DISABLE, { ...endpoint }) > 0) unsettle(db, subscription, at)
}

/** Marks the rows of an endpoint to follow it, and moves the first slice of them at once. */
export function unsettle(db: Connection, subscription: string, at: number): void {
  db.run('UPDATE endpoints SET unsettled = 1 WHERE subscription = ?', subscription)
  settleSlice(db, at, subscription)
}

// Of a disabled endpoint pending rows are to be held yet.
const FACTS = new Query<FactsRow & { readonly held: number }>(`
  SELECT endpoints.*, ifnull((
    SELECT sum(amount) FROM tallies
    WHERE tallies.subscription = endpoints.subscription AND state IN ('held', 'pending') AND disabled_at IS NOT NULL
  ), 0) AS held
  FROM endpoints WHERE configured = 1 AND enabled = 1 ORDER BY endpoints.subscription`)
const LOADS = new Query<EndpointLoad>(`
  SELECT endpoints.subscription, failures_in_row AS failuresInARow, ifnull(amount, 0) AS pending
  FROM endpoints LEFT JOIN tallies ON tallies.subscription = endpoints.subscription AND state = 'pending'
  WHERE configured = 1`)
const STILL_FAILS = new Query('SELECT 1 FROM endpoints WHERE subscription = ? AND failing_since = ?')

export function endpointStore(db: Connection): EndpointStore {
  return {
    endpointFacts: () => db.read(() => db.all(FACTS).map((row) => ({ ...toFacts(row), held: row.held }))),
    endpointLoads: () => db.read(() => db.all(LOADS)),
    giveUp: (giving) => db.write(() => giveUp(db, giving)),
  }
}

function giveUp(db: Connection, { failingSince, ...giving }: GivingUp): void {
  if (db.one(STILL_FAILS, giving.subscription, failingSince) === undefined) return
  shut(db, { ...giving, by: 'failing' })
}
