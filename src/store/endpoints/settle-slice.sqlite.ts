import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

/** Rows that one transaction moves: a few milliseconds. */
const SLICE = 500
/** A move that passes on the turn of a lane costs as much as so many moves without. */
const TURN = 5
/** Endpoints that one transaction looks at: to find that nothing is left to move of one takes several statements. */
const MOST_ENDPOINTS = 250

interface Unsettled {
  readonly subscription: string
  readonly configured: number
  readonly open: number
  readonly ordered: number
  readonly discards_to: number | null
  readonly queued_to: number | null
  readonly reconsidered_to: number | null
}

const UNSETTLED = new Query<Unsettled>(`
  SELECT subscription, configured, configured = 1 AND enabled = 1 AND disabled_at IS NULL AS open, ordered,
    discards_to, queued_to, reconsidered_to
  FROM endpoints WHERE unsettled = 1 AND (:only IS NULL OR subscription = :only) ORDER BY subscription
  LIMIT CAST(:most AS INTEGER)`)
const SETTLED = 'UPDATE endpoints SET unsettled = 0 WHERE subscription = ?'

const DISCARD = `
  UPDATE deliveries SET state = 'discarded', finished_at = :at
  WHERE ref IN (${oldest('held', 'event <= :to')})`
const DISCARDED = 'UPDATE endpoints SET discards_to = NULL WHERE subscription = ?'
const HOLD = `
  UPDATE deliveries SET state = 'held', next_attempt_at = NULL
  WHERE ref IN (${oldest('pending', '(test = 0 OR :configured = 0)')})`
// Nobody asked for a row by itself: it is as due as when its event rang, and waits for a digest's hour or the end of quiet hours like
// any other.
const RELEASE = `
  UPDATE deliveries SET state = 'pending', round = 0, not_before = NULL, resumes_at = NULL,
    next_attempt_at = (SELECT stored_at FROM events WHERE events.ref = deliveries.event), wake_at = NULL
  WHERE ref IN (${oldest('held', 'true')})`

const TO_QUEUE = new Query<{ ref: number; event: number }>(`
  SELECT ref, event FROM (
    SELECT * FROM (${oldest('pending', 'event > :after', 'ref, event')})
    UNION ALL SELECT * FROM (${oldest('held', 'event > :after', 'ref, event')})
  ) ORDER BY event LIMIT :most`)
const QUEUE = `
  UPDATE deliveries SET turn = 0
  WHERE ref IN (SELECT value FROM json_each(?)) AND turn IS NULL`
const QUEUED_TO = 'UPDATE endpoints SET queued_to = ? WHERE subscription = ?'
const UNQUEUE = `
  UPDATE deliveries SET turn = NULL
  WHERE ref IN (
    SELECT ref FROM deliveries INDEXED BY deliveries_queue WHERE subscription = :subscription AND turn IS NOT NULL
    LIMIT CAST(:most AS INTEGER)
  )`

// A row that was put off without an attempt was put off by the channel of then: the channel of today decides anew.
const PUT_OFF = new Query<{ ref: number; event: number }>(`
  SELECT ref, event FROM deliveries INDEXED BY deliveries_put_off
  WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
    AND turn IS NOT 0 AND resumes_at IS NULL AND (round = 0) = 1 AND event > :after
  ORDER BY event LIMIT CAST(:most AS INTEGER)`)
const RECONSIDER = `
  UPDATE deliveries
  SET wake_at = NULL, next_attempt_at = (SELECT stored_at FROM events WHERE events.ref = deliveries.event)
  WHERE ref IN (SELECT value FROM json_each(?)) AND wake_at IS NOT NULL AND test = 0`
const RECONSIDERED_TO = 'UPDATE endpoints SET reconsidered_to = ? WHERE subscription = ?'

function oldest(state: string, condition: string, columns = 'ref'): string {
  return `
    SELECT ${columns} FROM deliveries INDEXED BY deliveries_state
    WHERE state = '${state}' AND subscription = CAST(:subscription AS TEXT) AND ${condition}
    ORDER BY event LIMIT CAST(:most AS INTEGER)`
}

/** One way in which rows follow their endpoint. */
interface Step {
  /** Moves at most `most` rows, and fewer only where no more are left; returns how many. */
  readonly move: (db: Connection, endpoint: Unsettled, slice: Slice) => number
  /** Of a row of an endpoint with turns, and of one without. */
  readonly cost: readonly [ordered: number, other: number]
}

interface Slice {
  readonly at: number
  readonly most: number
}

const STEPS: readonly Step[] = [
  { move: discard, cost: [TURN, 1] },
  { move: holdOrRelease, cost: [1, 1] },
  { move: giveTurns, cost: [TURN, TURN] },
  { move: takeTurns, cost: [TURN, TURN] },
  { move: reconsider, cost: [1, 1] },
]

/**
 * Moves rows to the state that their endpoints ask for, of all endpoints or of one, oldest event first, within the caller's
 * transaction. Returns whether none is left; otherwise it has to be called again.
 *
 * Whether anything is sent is decided by the endpoint's row alone, within the claim (`gateOf`). The states of its deliveries
 * follow slice by slice: one transaction over a backlog would keep every loop and every process waiting. An endpoint is
 * `unsettled` from the transaction that changes it until a slice finds nothing to move. What is left to do can be read from the
 * rows themselves (a `held` row of an open endpoint, a `pending` row of another) or from a place in the order of events
 * (`discards_to`, `queued_to`, `reconsidered_to`). So whoever comes next goes on: the command that asked
 * (`operate/change-endpoint.ts`), the daemon (`deliver/row-settling.ts`), or the next process after a crash. The first slice is in
 * the transaction of the change itself, so a small backlog is never seen halfway. While turns are given out, the endpoint
 * counts as shut: a lane is right only once all of it is in line.
 */
export function settleSlice(db: Connection, at: number, only: string | null = null): boolean {
  let left = SLICE
  const endpoints = db.all(UNSETTLED, { only, most: MOST_ENDPOINTS + 1 })
  for (const endpoint of endpoints.slice(0, MOST_ENDPOINTS)) {
    for (const { move, cost } of STEPS) {
      const each = cost[endpoint.ordered === 1 ? 0 : 1]
      left -= each * move(db, endpoint, { at, most: Math.ceil(left / each) })
      if (left <= 0) return false
    }
    db.run(SETTLED, endpoint.subscription)
  }
  return endpoints.length <= MOST_ENDPOINTS
}

function discard(db: Connection, { subscription, discards_to: to }: Unsettled, { at, most }: Slice): number {
  if (to === null) return 0
  const moved = db.run(DISCARD, { subscription, at, to, most })
  if (moved < most) db.run(DISCARDED, subscription)
  return moved
}

function holdOrRelease(db: Connection, { subscription, open, configured }: Unsettled, { most }: Slice): number {
  if (open === 1) return db.run(RELEASE, { subscription, most })
  return db.run(HOLD, { subscription, configured, most })
}

function giveTurns(db: Connection, { subscription, queued_to: after }: Unsettled, { most }: Slice): number {
  if (after === null) return 0
  const rows = db.all(TO_QUEUE, { subscription, after, most })
  db.run(QUEUE, refs(rows))
  db.run(QUEUED_TO, rows.length < most ? null : (rows.at(-1)?.event ?? null), subscription)
  return rows.length
}

function takeTurns(db: Connection, { subscription, ordered }: Unsettled, { most }: Slice): number {
  return ordered === 1 ? 0 : db.run(UNQUEUE, { subscription, most })
}

function reconsider(db: Connection, { subscription, reconsidered_to: after }: Unsettled, { most }: Slice): number {
  if (after === null) return 0
  const rows = db.all(PUT_OFF, { subscription, after, most })
  db.run(RECONSIDER, refs(rows))
  db.run(RECONSIDERED_TO, rows.length < most ? null : (rows.at(-1)?.event ?? null), subscription)
  return rows.length
}

function refs(rows: readonly { readonly ref: number }[]): string {
  return JSON.stringify(rows.map(({ ref }) => ref))
}
