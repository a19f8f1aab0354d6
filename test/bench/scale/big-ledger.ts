import { Client } from 'pg'
import { ENDPOINTS } from './backlog.ts'

const EVENTS = 5_000
export const LEDGER_ROWS = EVENTS * ENDPOINTS
/** The first of them; the others answer. */
export const DOWN = 100
/** The last events, which those do not take. */
const PENDING_EVENTS = 1_000
export const PENDING_ROWS = DOWN * PENDING_EVENTS
const HOUR_MS = 3_600_000

/** Written without triggers, which would take minutes: what they count is written beside it. */
const HISTORY = `
  SET session_replication_role = replica;
  INSERT INTO accounts (account, last_sequence) VALUES ('acme', ${EVENTS})
    ON CONFLICT (account) DO UPDATE SET last_sequence = excluded.last_sequence;
  INSERT INTO events (ref, id, account, sequence, type, resource, subject_id, subject_version, timestamp, stored_at, cause, extras,
    not_before, not_after)
  SELECT n, 'evt_' || md5(n::text), 'acme', n, 'shipment.status_changed', 'shipment', 'SHP-' || n, 1, since + n * 1000,
    since + n * 1000, 'change', '{"from":"a","to":"b"}', since + n * 1000 - 100, since + n * 1000
  FROM generate_series(1::bigint, ${EVENTS}) AS n, (SELECT :since::bigint AS since) AS begin;
  INSERT INTO deliveries (id, event, subscription, lane, state, attempts, finished_at, last_status, test, next_attempt_at)
  SELECT 'dlv_' || md5(n || ' ' || e), n, 'e' || lpad(e::text, 3, '0'), n, 'delivered', 1, since + n * 1000 + 5, 204, 0, since + n * 1000
  FROM generate_series(1::bigint, ${EVENTS}) AS n, generate_series(0, ${ENDPOINTS - 1}) AS e, (SELECT :since::bigint AS since) AS begin
  WHERE NOT (n > ${EVENTS - PENDING_EVENTS} AND e < ${DOWN});
  INSERT INTO attempts (delivery, at, duration_ms, status) SELECT ref, finished_at - 5, 5, 204 FROM deliveries;
  INSERT INTO tallies SELECT subscription, state, count(*) FROM deliveries GROUP BY 1, 2`
/** Each was tried and waits for its retry. */
const WAITING = `
  SET session_replication_role = origin;
  INSERT INTO deliveries (id, event, subscription, lane, state, attempts, round, last_status, last_error, test, next_attempt_at, wake_at)
  SELECT 'dlv_' || md5(n || ' ' || e), n, 'e' || lpad(e::text, 3, '0'), n, 'pending', 3, 3, 500, 'The receiver answered 500.', 0,
    until + (n * 7919 + e) % ${HOUR_MS}, until + (n * 7919 + e) % ${HOUR_MS}
  FROM generate_series(${EVENTS - PENDING_EVENTS + 1}::bigint, ${EVENTS}) AS n, generate_series(0, ${DOWN - 1}) AS e,
    (SELECT :until::bigint AS until) AS time`

/** Writes a ledger that has run for long into an empty store, whose endpoints are known; `now` in milliseconds. */
export async function fillLedger(url: string, now: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(HISTORY.replaceAll(':since', String(now - 24 * HOUR_MS)))
    await client.query(WAITING.replaceAll(':until', String(now + 24 * HOUR_MS)))
    // Else the server does it while the first claims are timed.
    await client.query('VACUUM (ANALYZE)')
  } finally {
    await client.end()
  }
}
