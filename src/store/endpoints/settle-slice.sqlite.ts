import { follow, type FollowedEndpoint, type Move, type Moved, type MoveKind } from '../../ledger/follow.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { settingsOf } from '../deliveries/set-columns.ts'

const UNSETTLED = new Query<FollowedEndpoint>(`
  SELECT subscription, configured, enabled, disabled_at, ordered, discards_to, queued_to, reconsidered_to,
    ${has('deliveries_state', "state = 'held'")} AS has_held, ${has('deliveries_state', "state = 'pending'")} AS has_pending,
    ${has('deliveries_queue', 'turn IS NOT NULL')} AS has_turns
  FROM endpoints WHERE unsettled = 1 AND (:only IS NULL OR subscription = :only) ORDER BY subscription`)
const SETTLE = `
  UPDATE endpoints SET discards_to = :discards_to, queued_to = :queued_to, reconsidered_to = :reconsidered_to,
    unsettled = :unsettled
  WHERE subscription = :subscription`

const BULK = {
  discard: moveOf('discard', oldest('held', 'event <= :to')),
  hold: moveOf('hold', oldest('pending', '(test = 0 OR :configured = 0)')),
  release: moveOf('release', oldest('held', 'true')),
  'take turns': moveOf(
    'take turns',
    `SELECT ref FROM deliveries INDEXED BY deliveries_queue WHERE subscription = :subscription AND turn IS NOT NULL
    LIMIT CAST(:most AS INTEGER)`,
  ),
}

interface Looked {
  readonly ref: number
  readonly event: number
}

const TO_QUEUE = new Query<Looked>(`
  SELECT ref, event FROM (
    SELECT * FROM (${oldest('pending', 'event > :after', 'ref, event')})
    UNION ALL SELECT * FROM (${oldest('held', 'event > :after', 'ref, event')})
  ) ORDER BY event LIMIT :most`)
const PUT_OFF = new Query<Looked>(`
  SELECT ref, event FROM deliveries INDEXED BY deliveries_put_off
  WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
    AND turn IS NOT 0 AND resumes_at IS NULL AND (round = 0) = 1 AND event > :after
  ORDER BY event LIMIT CAST(:most AS INTEGER)`)
const QUEUE = `${moveOf('give turns', 'SELECT value FROM json_each(:refs)')} AND turn IS NULL`
const RECONSIDER = `${moveOf('reconsider', 'SELECT value FROM json_each(:refs)')} AND wake_at IS NOT NULL AND test = 0`

function has(index: string, condition: string): string {
  return `EXISTS (
    SELECT 1 FROM deliveries INDEXED BY ${index} WHERE deliveries.subscription = endpoints.subscription AND ${condition})`
}

function oldest(state: string, condition: string, columns = 'ref'): string {
  return `
    SELECT ${columns} FROM deliveries INDEXED BY deliveries_state
    WHERE state = '${state}' AND subscription = CAST(:subscription AS TEXT) AND ${condition}
    ORDER BY event LIMIT CAST(:most AS INTEGER)`
}

function moveOf(kind: MoveKind, which: string): string {
  return `UPDATE deliveries SET ${settingsOf(kind)} WHERE ref IN (${which})`
}

/**
 * Moves the next slice of rows of all endpoints or of one, within the caller's transaction. Returns whether none is left; otherwise it
 * has to be called again.
 */
export function settleSlice(db: Connection, at: number, only: string | null = null): boolean {
  const slice = follow(db.all(UNSETTLED, { only }))
  let step = slice.next()
  while (step.done !== true) step = slice.next(move(db, step.value, at))
  for (const endpoint of step.value.endpoints) db.run(SETTLE, { ...endpoint })
  return step.value.isDone
}

function move(db: Connection, { kind, endpoint, most }: Move, at: number): Moved {
  const { configured, discards_to: to, queued_to, reconsidered_to, subscription } = endpoint
  if (kind === 'give turns') return moveLooked(db, QUEUE, db.all(TO_QUEUE, { subscription, after: queued_to, most }))
  if (kind === 'reconsider')
    return moveLooked(db, RECONSIDER, db.all(PUT_OFF, { subscription, after: reconsidered_to, most }))
  return { amount: db.run(BULK[kind], { subscription, configured, to, at, most }), last: null }
}

function moveLooked(db: Connection, sql: string, rows: readonly Looked[]): Moved {
  db.run(sql, { refs: JSON.stringify(rows.map(({ ref }) => ref)) })
  return { amount: rows.length, last: rows.at(-1)?.event ?? null }
}
