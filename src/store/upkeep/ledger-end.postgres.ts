import type { LedgerSweep, SweepPlace, SweptLedger } from '../ports/retention-port.ts'
import { countDropped, foldHours } from './daily-totals.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { countGone, forgetHours } from '../events/event-totals.postgres.ts'
import { Query } from '../server/query.ts'
import { holdEvents } from './sweep-lock.postgres.ts'

// A row may be claimed still, though it was discarded.
const HAS_OPEN = `EXISTS (
  SELECT 1 FROM deliveries
  WHERE event = events.ref AND (finished_at IS NULL OR finished_at > :before
    OR EXISTS (SELECT 1 FROM claims WHERE claims.subscription = deliveries.subscription AND claims.event = deliveries.event)))`
const LAST = '(SELECT ref FROM events ORDER BY ref DESC LIMIT 1)'
// No row ends before its event rang, so the age of the event bounds the search.
const CANDIDATES = new Query<SweepPlace & { readonly ended: boolean }>(`
  SELECT ref, stored_at AS "storedAt", NOT ${HAS_OPEN} AND ref <> ${LAST} AS ended
  FROM (
    SELECT ref, stored_at FROM events
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
const BEGIN = new Query<{ to: number | null }>('SELECT dropped_to AS "to" FROM ledger_begin')

interface Ended extends SweepPlace {
  readonly sighting: number | null
}

/** Hours are put together faster than events go, and take less. */
const HOURS_OF_AN_EVENT = 4

/** `RetentionStore.dropEnded`, inside the caller's write transaction. */
export async function dropEnded(tx: Transaction, { after, before, limit }: LedgerSweep): Promise<SweptLedger> {
  const from = { storedAt: after?.storedAt ?? Number.MIN_SAFE_INTEGER, ref: after?.ref ?? 0 }
  const candidates = await tx.all(CANDIDATES, { before, ...from, limit })
  const refs = candidates.filter((event) => event.ended).map(({ ref }) => ref)
  await holdEvents(tx, refs)
  const ended = refs.length === 0 ? [] : await tx.all(ENDED, { refs, before })
  if (ended.length > 0) await drop(tx, ended, before)
  const isFolded = await foldHours(tx, before, limit * HOURS_OF_AN_EVENT)
  const last = candidates.length < limit ? undefined : candidates.at(-1)
  const beyond = isFolded ? null : { storedAt: before, ref: Number.MAX_SAFE_INTEGER }
  return { dropped: ended.length, end: last === undefined ? beyond : { storedAt: last.storedAt, ref: last.ref } }
}

async function drop(tx: Transaction, ended: readonly Ended[], before: number): Promise<void> {
  const refs = ended.map(({ ref }) => ref)
  await countDropped(tx, refs)
  await tx.run(DROP_EVENTS, { refs })
  await countGone(tx, refs)
  await tx.run(FREE_SIGHTINGS, { refs, sightings: ended.map(({ sighting }) => sighting) })
  await forgetHours(
    tx,
    ended.map(({ storedAt }) => storedAt),
  )
  await tx.run(MOVE_BEGIN, { before })
}

/** The time up to which what ended may have been dropped; null: nothing was. */
export async function droppedTo(db: Pick<Transaction, 'one'>): Promise<number | null> {
  return (await db.one(BEGIN))?.to ?? null
}
