import { TABLES } from '../tables/tables.ts'
import { follow, type FollowedEndpoint, type Move, type Moved } from '../../ledger/follow.ts'
import { newestPosition, type Numbered } from '../../ledger/positions.ts'
import type { EndpointSetting } from '../../ledger/runtime-subscriptions.ts'
import { startsFull } from '../../ledger/snapshots.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { MADE_AT_RUN_TIME } from '../runtime/runtime-rows.ts'
import { passTurns } from '../deliveries/lane-rows.postgres.ts'
import { NEWEST, NUMBER } from '../feeds/number-waiting.ts'
import { settingsOf } from '../deliveries/set-columns.ts'
import type { ConfiguredSubscription } from '../ports/delivery-port.ts'
import { beginRuns } from '../snapshots/run-rows.postgres.ts'

const NAMED = TABLES.endpoints.only('subscription discards_to queued_to reconsidered_to unsettled')

const HOLD = new Query<{ subscription: string }>(`
  SELECT subscription FROM endpoints WHERE unsettled = 1 AND (:only::text IS NULL OR subscription = :only)
  ORDER BY subscription FOR NO KEY UPDATE`)
const UNSETTLED = new Query<FollowedEndpoint>(`
  SELECT subscription, configured, enabled, disabled_at, ordered, discards_to, queued_to, reconsidered_to,
    ${has("state = 'held'")} AS has_held, ${has("state = 'pending'")} AS has_pending, ${has('turn IS NOT NULL')} AS has_turns
  FROM endpoints WHERE subscription = ANY(:names::text[]) ORDER BY subscription`)
const SETTLE = new Query(`
  UPDATE endpoints SET ${NAMED.without('subscription').assigned('row')}
  FROM ${NAMED.unnested()} AS row (${NAMED.names}) WHERE endpoints.subscription = row.subscription`)

const CLAIMED = `EXISTS (
    SELECT 1 FROM claims WHERE claims.subscription = deliveries.subscription AND claims.event = deliveries.event
  )`
// A row that was discarded while it is under way keeps its lane waiting (`keepsPlace`). Claims are rows here, where a file has them in
// memory.
const DISCARDED = `${settingsOf('discard')}, turn = CASE WHEN ${CLAIMED} THEN turn END`
const BULK: Readonly<Record<'discard' | 'hold' | 'release' | 'take turns', Query<{ lane: number }>>> = {
  discard: moveOf(DISCARDED, oldest('held', 'event <= :to')),
  hold: moveOf(settingsOf('hold'), oldest('pending', '(test = 0 OR :configured = 0)')),
  release: moveOf(settingsOf('release'), oldest('held', 'true')),
  'take turns': moveOf(
    settingsOf('take turns'),
    'SELECT ref FROM deliveries WHERE subscription = :subscription AND turn IS NOT NULL LIMIT :most',
  ),
}

interface Looked {
  readonly ref: number
  readonly event: number
}

const TO_QUEUE = new Query<Looked>(`
  SELECT ref, event FROM (
    (${oldest('pending', 'event > :after', 'ref, event')})
    UNION ALL (${oldest('held', 'event > :after', 'ref, event')})
    UNION ALL (${oldest('discarded', 'event > :after', 'ref, event')})
  ) AS open ORDER BY event LIMIT :most`)
const QUEUE = new Query<{ lane: number }>(`
  UPDATE deliveries SET ${settingsOf('give turns')}
  WHERE ref = ANY(:refs::bigint[]) AND turn IS NULL AND (state <> 'discarded' OR ${CLAIMED})
  RETURNING lane`)
const PUT_OFF = new Query<Looked>(`
  SELECT ref, event FROM deliveries
  WHERE subscription = :subscription AND state = 'pending' AND wake_at IS NOT NULL
    AND turn IS DISTINCT FROM 0 AND resumes_at IS NULL AND least(round, 1) = 0 AND event > :after
  ORDER BY event LIMIT :most`)
const RECONSIDER = new Query(`
  UPDATE deliveries SET ${settingsOf('reconsider')}
  WHERE ref = ANY(:refs::bigint[]) AND wake_at IS NOT NULL AND test = 0`)
const UNSETTLE = new Query('UPDATE endpoints SET unsettled = 1 WHERE subscription = :subscription')

/** A scalar, which is one step into an index: EXISTS may be answered for all endpoints at once, by reading every row. */
function has(condition: string): string {
  return `coalesce((
    SELECT 1 FROM deliveries WHERE deliveries.subscription = endpoints.subscription AND ${condition} LIMIT 1), 0)`
}

function oldest(state: string, condition: string, columns = 'ref'): string {
  return `
    SELECT ${columns} FROM deliveries WHERE state = '${state}' AND subscription = :subscription AND ${condition}
    ORDER BY event LIMIT :most`
}

function moveOf(settings: string, which: string): Query<{ lane: number }> {
  return new Query(`UPDATE deliveries SET ${settings} WHERE ref IN (${which}) RETURNING lane`)
}

/**
 * Moves the next slice of rows of all endpoints or of one, within the caller's transaction. Returns whether none is left; otherwise it
 * has to be called again.
 */
export async function settleSlice(tx: Transaction, at: number, only: string | null = null): Promise<boolean> {
  const held = await tx.all(HOLD, { only })
  if (held.length === 0) return true
  const slice = follow(await tx.all(UNSETTLED, { names: held.map(({ subscription }) => subscription) }))
  let step = slice.next()
  while (step.done !== true) step = slice.next(await move(tx, step.value, at))
  await tx.run(SETTLE, NAMED.listed(step.value.endpoints))
  return step.value.isDone
}

/** Marks the rows of an endpoint to follow it, and moves the first slice of them at once. */
export async function unsettle(tx: Transaction, subscription: string, at: number): Promise<void> {
  await tx.run(UNSETTLE, { subscription })
  await settleSlice(tx, at, subscription)
}

async function move(tx: Transaction, { kind, endpoint, most }: Move, at: number): Promise<Moved> {
  const { configured, discards_to: to, queued_to, reconsidered_to, subscription } = endpoint
  if (kind === 'reconsider') {
    const looked = await tx.all(PUT_OFF, { subscription, after: reconsidered_to, most })
    await tx.run(RECONSIDER, { refs: looked.map(({ ref }) => ref) })
    return movedOf(looked)
  }
  if (kind === 'give turns') {
    const looked = await tx.all(TO_QUEUE, { subscription, after: queued_to, most })
    await pass(tx, endpoint, await tx.all(QUEUE, { refs: looked.map(({ ref }) => ref) }))
    return movedOf(looked)
  }
  const moved = await tx.all(BULK[kind], { subscription, configured, to, at, most })
  const isFromLanes = endpoint.has_turns === 1 && (kind === 'discard' || kind === 'take turns')
  if (isFromLanes) await pass(tx, endpoint, moved)
  return { amount: moved.length, last: null }
}

async function pass(
  tx: Transaction,
  { subscription }: FollowedEndpoint,
  moved: readonly { readonly lane: number }[],
): Promise<void> {
  for (const { query, values } of passTurns(moved.map(({ lane }) => ({ subscription, lane }))))
    await tx.run(query, values)
}

function movedOf(looked: readonly Looked[]): Moved {
  return { amount: looked.length, last: looked.at(-1)?.event ?? null }
}

// Dates of subscriptions without a `min_shift` are not remembered, so those from before it was left out are stale.
const FORGET_DATES = new Query('DELETE FROM notified_dates WHERE subscription = ANY(:careless::text[])')
const REGISTER = new Query<{ subscription: string }>(`
  INSERT INTO endpoints (subscription) SELECT name FROM unnest(:names::text[]) AS new (name) ORDER BY name COLLATE "C"
  ON CONFLICT DO NOTHING RETURNING subscription`)
const LOCK_ALL = new Query('SELECT 1 FROM endpoints ORDER BY subscription FOR NO KEY UPDATE')
const NEW_SERIES = 'left(md5(random()::text), 8)'
/** Names all series anew, because the rows of a database that took the place of another one may be others by their numbers. */
export const RENEW_SERIES = new Query(`UPDATE endpoints SET series = ${NEW_SERIES}`)
// Turns are given from the first event on; until all rows have theirs, the endpoint sends nothing. A new one has no row. One that was
// discarded after it was left out got no rows meanwhile: what comes is another series.
const CONFIGURE = new Query(`
  UPDATE endpoints SET configured = 1, enabled = file.enabled, ordered = file.ordered, keep_ms = file.keep_ms,
    series = CASE WHEN configured = 0 AND endpoints.enabled = 0 THEN ${NEW_SERIES} ELSE series END,
    queued_to = CASE WHEN endpoints.ordered = file.ordered THEN queued_to WHEN file.ordered = 1 THEN 0 END
  FROM unnest(:names::text[], :enabled::bigint[], :ordered::bigint[], :keeps::bigint[]) AS file (name, enabled, ordered, keep_ms)
  WHERE subscription = name`)
const BECOMES_PULLED = new Query<{ subscription: string }>(`
  SELECT subscription FROM endpoints JOIN unnest(:names::text[], :keeps::bigint[]) AS file (name, keep_ms) ON subscription = name
  WHERE endpoints.keep_ms IS NULL AND file.keep_ms IS NOT NULL ORDER BY subscription`)
const NEWEST_NUMBERS = new Query<Numbered>(NEWEST)
const NUMBER_WAITING = new Query(NUMBER)
// Where a subscription is missing from the file, `enabled` says that it goes on getting rows, which are held, until it is discarded.
const LEAVE_OUT = new Query(`
  UPDATE endpoints SET configured = 0, enabled = 1 WHERE configured = 1 AND subscription <> ALL (:names::text[])
    AND subscription NOT IN (SELECT name FROM runtime_subscriptions WHERE ${MADE_AT_RUN_TIME})`)
// A row that was discarded while it is under way is open, too, because claims are rows, and another worker may have it.
const HAS_OPEN_ROWS = `
  (EXISTS (SELECT 1 FROM deliveries WHERE state = 'pending' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE state = 'held' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE state = 'discarded' AND deliveries.subscription = endpoints.subscription)
  OR EXISTS (SELECT 1 FROM deliveries WHERE turn IS NOT NULL AND deliveries.subscription = endpoints.subscription))`
// Most of thousands of endpoints have no row to move, and to find that out one by one takes long.
const UNSETTLE_ALL = new Query(`UPDATE endpoints SET unsettled = 1, reconsidered_to = 0 WHERE ${HAS_OPEN_ROWS}`)
const SETTLE_EMPTY = new Query(`
  UPDATE endpoints SET unsettled = 0, discards_to = NULL, queued_to = NULL, reconsidered_to = NULL
  WHERE (unsettled = 1 OR queued_to IS NOT NULL) AND NOT ${HAS_OPEN_ROWS}`)

/** Rows that channels put off are due again, so that the channels decide anew: the first slice at once. */
export async function reconsiderAll(tx: Transaction, at: number): Promise<void> {
  await tx.all(LOCK_ALL)
  await tx.run(SETTLE_EMPTY)
  await tx.run(UNSETTLE_ALL)
  await settleSlice(tx, at)
}

/** `DeliveryStore.syncSubscriptions`. Holds all endpoints, because other workers send at the same time. */
export async function syncSubscriptions(
  db: Database,
  subscriptions: readonly ConfiguredSubscription[],
  at: number,
): Promise<void> {
  const names = subscriptions.map(({ name }) => name)
  const enabled = subscriptions.map((each) => (each.enabled ? 1 : 0))
  const ordered = subscriptions.map(({ order = 'none' }) => (order === 'subject' ? 1 : 0))
  const keeps = subscriptions.map(({ channel }) => channel?.keepMs ?? null)
  const careless = subscriptions.flatMap(({ minShiftMs, name }) => ((minShiftMs ?? null) === null ? [name] : []))
  await db.write(async (tx) => {
    await tx.run(FORGET_DATES, { careless })
    const registered = new Set((await tx.all(REGISTER, { names })).map(({ subscription }) => subscription))
    await tx.all(LOCK_ALL)
    await beginRuns(
      tx,
      startsFull(subscriptions, (name) => registered.has(name)),
      at,
    )
    const pulled = await tx.all(BECOMES_PULLED, { names, keeps })
    await tx.run(CONFIGURE, { names, enabled, keeps, ordered })
    for (const { subscription } of pulled) await numberWaiting(tx, subscription)
    await tx.run(LEAVE_OUT, { names })
    await reconsiderAll(tx, at)
  })
}

/** From now on rows wait to be taken from the feed, which shows those with a number. The endpoint is held. */
async function numberWaiting(tx: Transaction, subscription: string): Promise<void> {
  const newest = await tx.one(NEWEST_NUMBERS, { subscription })
  if (newest !== undefined) await tx.run(NUMBER_WAITING, { subscription, newest: newestPosition(newest) })
}

const SWITCH = new Query(
  'UPDATE endpoints SET configured = :configured, enabled = :enabled WHERE subscription = :subscription',
)

/** Sets an endpoint that no file names, and that is held; its rows do not follow yet. */
export async function configureEndpoint(
  tx: Transaction,
  { configured, enabled, ordered, subscription }: EndpointSetting,
): Promise<void> {
  await tx.run(CONFIGURE, { names: [subscription], enabled: [enabled], keeps: [null], ordered: [ordered] })
  await tx.run(SWITCH, { configured, enabled, subscription })
}

export async function forgetDates(tx: Transaction, careless: readonly string[]): Promise<void> {
  await tx.run(FORGET_DATES, { careless: [...careless] })
}
