import type { DisabledBy } from '../../model/endpoint.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const IS_CONFIGURED =
  'EXISTS (SELECT 1 FROM endpoints WHERE endpoints.subscription = deliveries.subscription AND configured = 1)'
const HOLD = `
  UPDATE deliveries SET state = 'held', next_attempt_at = NULL
  WHERE subscription = ? AND state = 'pending' AND (test = 0 OR NOT ${IS_CONFIGURED})`
// A row whose attempt is still under way keeps its claim, so that it is not sent twice at once.
const RELEASE = `
  UPDATE deliveries SET state = 'pending', round = 0, next_attempt_at = :at,
    wake_at = CASE WHEN claimed_by IS NOT NULL THEN wake_at END
  WHERE subscription = :subscription AND state = 'held'`
const DISCARD = `
  UPDATE deliveries SET state = 'discarded', finished_at = :at
  WHERE subscription = :subscription AND state = 'held'`
const DISABLE = `
  UPDATE endpoints SET disabled_reason = :reason, disabled_at = :at, disabled_by = :by
  WHERE subscription = :subscription AND disabled_at IS NULL`
const NAMES = new Query<{ subscription: string }>('SELECT subscription FROM endpoints ORDER BY subscription')
const IS_OPEN = new Query(`
  SELECT 1 FROM endpoints WHERE subscription = ? AND configured = 1 AND enabled = 1 AND disabled_at IS NULL`)

/**
 * Whether rows of a subscription may be pending: it is configured, enabled in the file, and nothing disabled it.
 * Rows of an open endpoint are never `held`, rows of any other never `pending`: all that opens or shuts one moves them too.
 * But a test's row is pending wherever there is an address to send it to: whoever mends an endpoint tries it before opening it.
 */
export function isOpen(db: Connection, subscription: string): boolean {
  return db.one(IS_OPEN, subscription) !== undefined
}

export function registerEndpoint(db: Connection, subscription: string): void {
  db.run('INSERT INTO endpoints (subscription) VALUES (?) ON CONFLICT DO NOTHING', subscription)
}

export function endpointNames(db: Connection): readonly string[] {
  return db.all(NAMES).map(({ subscription }) => subscription)
}

/** Moves the rows of a subscription to where its endpoint allows; returns how many were released. */
export function settleRows(db: Connection, subscription: string, at: number): number {
  if (isOpen(db, subscription)) return db.run(RELEASE, { subscription, at })
  db.run(HOLD, subscription)
  return 0
}

export interface Shutting {
  readonly subscription: string
  readonly reason: string
  readonly at: number
  readonly by: DisabledBy
}

/** Shuts an endpoint; the first reason stays. */
export function shut(db: Connection, endpoint: Shutting): void {
  registerEndpoint(db, endpoint.subscription)
  db.run(DISABLE, { ...endpoint })
  settleRows(db, endpoint.subscription, endpoint.at)
}

/** The held rows become `discarded`; returns how many. */
export function discardHeld(db: Connection, subscription: string, at: number): number {
  return db.run(DISCARD, { subscription, at })
}
