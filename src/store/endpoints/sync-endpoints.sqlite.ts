import { allSteps } from '../../clock.ts'
import { follow, type FollowedEndpoint, type Move, type Moved, type MoveKind } from '../../ledger/follow.ts'
import { newestPosition, type Numbered } from '../../ledger/positions.ts'
import type { EndpointSetting } from '../../ledger/runtime-subscriptions.ts'
import { startsFull } from '../../ledger/snapshots.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { NEWEST, NUMBER } from '../feeds/number-waiting.ts'
import { settingsOf } from '../deliveries/set-columns.ts'
import type { ConfiguredSubscription } from '../ports/delivery-port.ts'
import { MADE_AT_RUN_TIME } from '../runtime/runtime-rows.ts'
import { forgetNotifiedDates } from '../records/date-rows.sqlite.ts'
import { beginRuns } from '../snapshots/run-rows.sqlite.ts'

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

const NEW_SERIES = 'lower(hex(randomblob(4)))'
/** Names all series anew, because the rows of a store that was put in the place of another one may be others by their numbers. */
export const RENEW_SERIES = `UPDATE endpoints SET series = ${NEW_SERIES}`

const NEWEST_NUMBERS = new Query<Numbered>(NEWEST)
const KNOWN = new Query<EndpointOfFile>(
  'SELECT subscription, enabled, ordered, keep_ms FROM endpoints WHERE configured = 1',
)
// One that was discarded after it was left out got no rows meanwhile: what comes is another series.
const CONFIGURE = `
  INSERT INTO endpoints (subscription, configured, enabled, ordered, keep_ms)
  SELECT value ->> 'subscription', 1, value ->> 'enabled', value ->> 'ordered', value ->> 'keep_ms' FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET configured = 1, enabled = excluded.enabled, keep_ms = excluded.keep_ms,
    series = CASE WHEN configured = 0 AND endpoints.enabled = 0 THEN ${NEW_SERIES} ELSE series END`
// Turns are given from the first event on; until all rows have theirs, the endpoint sends nothing.
const REORDER = `
  UPDATE endpoints SET ordered = file.ordered, queued_to = CASE WHEN file.ordered = 1 THEN 0 END
  FROM (SELECT value ->> 'subscription' AS name, value ->> 'ordered' AS ordered FROM json_each(?)) AS file
  WHERE subscription = file.name AND endpoints.ordered <> file.ordered`
// Where a subscription is missing from the file, `enabled` says that it goes on getting rows, which are held, until it is discarded.
const LEAVE_OUT = `
  UPDATE endpoints SET configured = 0, enabled = 1
  WHERE configured = 1 AND subscription NOT IN (SELECT value FROM json_each(?))
    AND subscription NOT IN (SELECT name FROM runtime_subscriptions WHERE ${MADE_AT_RUN_TIME})`
// No row that was discarded is open, because claims are in memory: while one is under way, they keep its lane waiting.
const HAS_OPEN_ROWS = `
  (EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_state
    WHERE state = 'pending' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_state
    WHERE state = 'held' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_queue
    WHERE turn IS NOT NULL AND deliveries.subscription = endpoints.subscription))`
// Most of thousands of endpoints have no row to move, and to find that out one by one takes long.
const UNSETTLE_ALL = `UPDATE endpoints SET unsettled = 1, reconsidered_to = 0 WHERE ${HAS_OPEN_ROWS}`
const SETTLE_EMPTY = `
  UPDATE endpoints SET unsettled = 0, discards_to = NULL, queued_to = NULL, reconsidered_to = NULL
  WHERE (unsettled = 1 OR queued_to IS NOT NULL) AND NOT ${HAS_OPEN_ROWS}`

/** Rows that channels put off are due again, so that the channels decide anew: the first slice at once. */
export function reconsiderAll(db: Connection, at: number): void {
  allSteps(reconsidering(db, at))
}

function* reconsidering(db: Connection, at: number): Generator<undefined, void> {
  yield
  db.run(SETTLE_EMPTY)
  yield
  db.run(UNSETTLE_ALL)
  yield
  settleSlice(db, at)
}

const IS_KNOWN = new Query('SELECT 1 FROM endpoints WHERE subscription = ?')

/** How the file has an endpoint. */
interface EndpointOfFile {
  readonly subscription: string
  readonly enabled: number
  readonly ordered: number
  readonly keep_ms: number | null
}

/** Endpoints that are written in one go: some milliseconds. */
const ENDPOINTS_OF_A_TURN = 500

/** `DeliveryStore.syncSubscriptions`: one transaction, over many turns where they are thousands. Of these only what differs is written. */
export async function syncSubscriptions(
  db: Connection,
  subscriptions: readonly ConfiguredSubscription[],
  at: number,
): Promise<void> {
  await db.writeInTurns(() => syncSteps(db, subscriptions, at), subscriptions.length > ENDPOINTS_OF_A_TURN)
}

function* syncSteps(
  db: Connection,
  subscriptions: readonly ConfiguredSubscription[],
  at: number,
): Generator<undefined, void> {
  db.run(LEAVE_OUT, JSON.stringify(subscriptions.map(({ name }) => name)))
  const known = new Map(db.all(KNOWN).map((endpoint) => [endpoint.subscription, endpoint]))
  const differing = subscriptions.map(endpointOfFile).filter(({ subscription, enabled, keep_ms, ordered }) => {
    const now = known.get(subscription)
    return now?.enabled !== enabled || now.ordered !== ordered || now.keep_ms !== keep_ms
  })
  beginRuns(
    db,
    startsFull(subscriptions, (name) => db.one(IS_KNOWN, name) === undefined),
    at,
  )
  for (let from = 0; from < differing.length; from += ENDPOINTS_OF_A_TURN) {
    yield
    const some = differing.slice(from, from + ENDPOINTS_OF_A_TURN)
    const file = JSON.stringify(some)
    db.run(CONFIGURE, file)
    db.run(REORDER, file)
    for (const { keep_ms, subscription } of some)
      if (keep_ms !== null && (known.get(subscription)?.keep_ms ?? null) === null) numberWaiting(db, subscription)
  }
  yield* reconsidering(db, at)
  yield
  const careless = subscriptions.filter(({ minShiftMs }) => (minShiftMs ?? null) === null)
  forgetNotifiedDates(
    db,
    careless.map(({ name }) => name),
  )
}

/** From now on rows wait to be taken from the feed, which shows those with a number. */
function numberWaiting(db: Connection, subscription: string): void {
  const newest = db.one(NEWEST_NUMBERS, { subscription })
  if (newest !== undefined) db.run(NUMBER, { subscription, newest: newestPosition(newest) })
}

const SWITCH = 'UPDATE endpoints SET configured = :configured, enabled = :enabled WHERE subscription = :subscription'

/** Sets an endpoint that no file names; its rows do not follow yet. */
export function configureEndpoint(
  db: Connection,
  { configured, enabled, ordered, subscription }: EndpointSetting,
): void {
  const one = JSON.stringify([{ subscription, enabled, ordered }])
  db.run(CONFIGURE, one)
  db.run(REORDER, one)
  db.run(SWITCH, { configured, enabled, subscription })
}

function endpointOfFile({ name, channel, enabled, order = 'none' }: ConfiguredSubscription): EndpointOfFile {
  const ordered = order === 'subject' ? 1 : 0
  return { subscription: name, enabled: enabled ? 1 : 0, ordered, keep_ms: channel?.keepMs ?? null }
}
