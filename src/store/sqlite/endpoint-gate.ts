import type { DisabledBy } from '../../model/endpoint.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'
import { settleSlice } from './settle-rows.ts'

const DISABLE = `
  UPDATE endpoints SET disabled_reason = :reason, disabled_at = :at, disabled_by = :by
  WHERE subscription = :subscription AND disabled_at IS NULL`
const NAMES = new Query<{ subscription: string }>('SELECT subscription FROM endpoints ORDER BY subscription')
const OPEN = 'subscription = ? AND configured = 1 AND enabled = 1 AND disabled_at IS NULL'
const IS_OPEN = new Query(`SELECT 1 FROM endpoints WHERE ${OPEN}`)
const SENDING = new Query<{ recovering: number }>(
  `SELECT recovering FROM endpoints WHERE ${OPEN} AND queued_to IS NULL`,
)

/**
 * Whether rows of a subscription may be pending: it is configured, enabled in the file, and nothing disabled it.
 * Rows of an open endpoint are not `held`, rows of any other not `pending`, once they have followed it (`settleSlice`).
 * But a test's row is pending wherever there is an address to send it to: whoever mends an endpoint tries it before opening it.
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

export function registerEndpoint(db: Connection, subscription: string): void {
  db.run('INSERT INTO endpoints (subscription) VALUES (?) ON CONFLICT DO NOTHING', subscription)
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

/** The rows of an endpoint are to follow it: the first slice of them does so at once. */
export function unsettle(db: Connection, subscription: string, at: number): void {
  db.run('UPDATE endpoints SET unsettled = 1 WHERE subscription = ?', subscription)
  settleSlice(db, at, subscription)
}
