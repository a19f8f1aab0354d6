import type { Transaction } from '../server/database.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'
import { lockLog } from '../events/event-rows.postgres.ts'
import { Query } from '../server/query.ts'
import { OPENED_WHAT_IS_OPEN } from '../exceptions/opening-events.ts'
import { DROP_SILENT } from '../living/living-store.postgres.ts'
import { HOURS_OF_AN_EVENT, OLDEST, sweptTo } from '../../ledger/events.ts'
import type { LedgerSweep, SweepPlace, SweptLedger } from '../ports/retention-port.ts'
import { countGone, forgetHours } from '../events/event-totals.postgres.ts'

const SUBSCRIPTIONS = new Query<{ subscription: string }>(
  'SELECT DISTINCT subscription FROM deliveries WHERE event = ANY(:refs::bigint[])',
)
const HOLD = new Query('SELECT 1 FROM events WHERE ref = ANY(:refs::bigint[]) ORDER BY ref FOR UPDATE')

/**
 * Holds events with their rows until the transaction ends: no row of them is made, or made due, meanwhile. The log is held first,
 * as its spans and totals follow the events. What was read of them before is to be read again.
 */
export async function holdEvents(tx: Transaction, refs: readonly number[]): Promise<void> {
  await lockLog(tx)
  const subscriptions = await tx.all(SUBSCRIPTIONS, { refs })
  await lockEndpoints(
    tx,
    subscriptions.map(({ subscription }) => subscription),
  )
  await tx.all(HOLD, { refs })
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

// Drops all rows of events that have ended, with their attempts, and keeps how many there were and the newest of their numbers.
const DROP_ROWS = new Query(`
  WITH attempted AS (
    DELETE FROM attempts
    WHERE delivery = ANY(ARRAY(SELECT ref FROM deliveries WHERE event = ANY(:refs::bigint[]))) RETURNING delivery
  ), dropped AS (
    DELETE FROM deliveries WHERE event = ANY(:refs::bigint[]) RETURNING ref, subscription, state, finished_at, test, position
  ), numbered AS (
    UPDATE endpoints SET dropped_position = greatest(dropped_position, gone.position)
    FROM (SELECT subscription, max(position) AS position FROM dropped WHERE position IS NOT NULL GROUP BY 1) AS gone
    WHERE endpoints.subscription = gone.subscription
  ), counted AS (SELECT delivery, count(*) AS amount FROM attempted GROUP BY delivery)
  INSERT INTO delivery_days AS known (day, subscription, state, amount, attempts)
    SELECT ${dayOf('finished_at')} AS day, subscription, state, count(*), coalesce(sum(counted.amount), 0)
    FROM dropped LEFT JOIN counted ON counted.delivery = dropped.ref
    WHERE test = 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (day, subscription, state) DO UPDATE SET amount = known.amount + excluded.amount,
    attempts = known.attempts + excluded.attempts`)

/** The day of an instant, since the Unix epoch. */
function dayOf(instant: string): string {
  return `floor(${instant} / ${DAY_MS}.0)::bigint`
}

const FOLD = new Query<{ hours: number }>(`
  WITH old AS (
    SELECT hour, account, type FROM event_hours WHERE hour <= :to ORDER BY hour LIMIT :most
  ), gone AS (
    DELETE FROM event_hours USING old
    WHERE event_hours.hour = old.hour AND event_hours.account = old.account AND event_hours.type = old.type
    RETURNING event_hours.*
  ), added AS (
    INSERT INTO event_days AS known (day, account, type, amount)
      SELECT ${dayOf('hour')}, account, type, sum(amount) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (day, account, type) DO UPDATE SET amount = known.amount + excluded.amount
  )
  SELECT count(*) AS hours FROM gone`)

/** Puts at most `most` of the totals of hours that ended until `before` together by days. Returns whether those were all. */
async function foldHours(tx: Transaction, before: number, most: number): Promise<boolean> {
  return ((await tx.one(FOLD, { to: before - HOUR_MS, most }))?.hours ?? 0) < most
}

// A row may be claimed still, though it was discarded.
const HAS_OPEN = `(${OPENED_WHAT_IS_OPEN} OR EXISTS (
  SELECT 1 FROM deliveries
  WHERE event = events.ref AND (finished_at IS NULL OR finished_at > :before
    OR EXISTS (SELECT 1 FROM claims WHERE claims.subscription = deliveries.subscription AND claims.event = deliveries.event))))`
const LAST = '(SELECT ref FROM events ORDER BY ref DESC LIMIT 1)'
// No row ends before its event rang, so the age of the event bounds the search.
const CANDIDATES = new Query<SweepPlace & { readonly ended: boolean }>(`
  SELECT ref, stored_at AS "storedAt", NOT ${HAS_OPEN} AND ref <> ${LAST} AS ended
  FROM (
    SELECT * FROM events
    WHERE expired_at IS NOT NULL AND stored_at <= :before AND (stored_at, ref) > (:storedAt, :ref)
    ORDER BY stored_at, ref LIMIT :limit
  ) AS events
  ORDER BY stored_at, ref`)
const ENDED = new Query<Ended>(`
  SELECT ref, stored_at AS "storedAt", sighting FROM events WHERE ref = ANY(:refs::bigint[]) AND NOT ${HAS_OPEN}`)
const DROP_EVENTS = new Query('DELETE FROM events WHERE ref = ANY(:refs::bigint[])')

// The events of a sighting follow each other in the log.
const FREE_SIGHTINGS = new Query(`
  DELETE FROM sightings USING unnest(:refs::bigint[], :sightings::bigint[]) AS gone(event, sighting)
  WHERE sightings.ref = gone.sighting
    AND gone.sighting IS DISTINCT FROM (SELECT sighting FROM events WHERE ref < gone.event ORDER BY ref DESC LIMIT 1)
    AND gone.sighting IS DISTINCT FROM (SELECT sighting FROM events WHERE ref > gone.event ORDER BY ref LIMIT 1)`)

const MOVE_BEGIN = new Query('UPDATE ledger_begin SET dropped_to = greatest(dropped_to, :before)')

interface Ended extends SweepPlace {
  readonly sighting: number | null
}

const DROP_EXCEPTIONS = new Query(`
  DELETE FROM exceptions WHERE ref = ANY(ARRAY(
    SELECT ref FROM exceptions WHERE closed_at <= :before ORDER BY closed_at, ref LIMIT :limit
  ))`)

/**
 * `RetentionStore.dropEnded`, inside the caller's write transaction. What has ended is looked at again once it is held, because other
 * workers write meanwhile; all of it is dropped at once, because each statement is a round trip.
 */
export async function dropEnded(tx: Transaction, { after, before, limit }: LedgerSweep): Promise<SweptLedger> {
  const candidates = await tx.all(CANDIDATES, { before, ...(after ?? OLDEST), limit })
  const refs = candidates.filter((event) => event.ended).map(({ ref }) => ref)
  await holdEvents(tx, refs)
  const ended = refs.length === 0 ? [] : await tx.all(ENDED, { refs, before })
  if (ended.length > 0) await drop(tx, ended, before)
  await tx.run(DROP_EXCEPTIONS, { before, limit })
  await tx.run(DROP_SILENT, { before, limit })
  const isFolded = await foldHours(tx, before, limit * HOURS_OF_AN_EVENT)
  const beyond = isFolded ? null : { storedAt: before, ref: Number.MAX_SAFE_INTEGER }
  return { dropped: ended.length, end: sweptTo(candidates, limit) ?? beyond }
}

async function drop(tx: Transaction, ended: readonly Ended[], before: number): Promise<void> {
  const refs = ended.map(({ ref }) => ref)
  await tx.run(DROP_ROWS, { refs })
  await tx.run(DROP_EVENTS, { refs })
  await countGone(tx, refs)
  await tx.run(FREE_SIGHTINGS, { refs, sightings: ended.map(({ sighting }) => sighting) })
  await forgetHours(
    tx,
    ended.map(({ storedAt }) => storedAt),
  )
  await tx.run(MOVE_BEGIN, { before })
}
