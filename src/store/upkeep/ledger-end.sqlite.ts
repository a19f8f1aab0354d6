import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import { dayOf } from '../../ledger/dates.ts'
import { HOURS_OF_AN_EVENT, OLDEST, sweptTo } from '../../ledger/events.ts'
import type { LedgerSweep, SweepPlace, SweptLedger } from '../ports/retention-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { DROP_SILENT } from '../living/living-store.sqlite.ts'
import { OPENED_WHAT_IS_OPEN } from '../exceptions/opening-events.ts'
import type { OpenClaims } from '../deliveries/open-claims.sqlite.ts'
import { countGone, forgetHours } from '../events/event-totals.sqlite.ts'

const HOUR_MS = 3_600_000

const COUNT_ROWS = `
  ${TABLES.delivery_days.insertNamed}
  ON CONFLICT DO UPDATE SET amount = amount + excluded.amount, attempts = attempts + excluded.attempts`

const NUMBER_ON = `
  UPDATE endpoints SET dropped_position = max(dropped_position, :position) WHERE subscription = :subscription`

/** A row of the ledger that has ended. */
interface EndedRow {
  readonly subscription: string
  readonly state: string
  readonly endedAt: number
  readonly test: number
  readonly position: number | null
}

type Total = RowOf<typeof TABLES.delivery_days>

/** Totals and newest numbers of the rows that one step drops, written once for all of them. */
class DroppedRows {
  readonly #totals = new Map<string, Total>()
  /** The newest number of each subscription. */
  readonly #newest = new Map<string, number>()

  add({ endedAt, position, state, subscription, test }: EndedRow, attempts: number): void {
    if (test === 1) return
    if (position !== null) this.#newest.set(subscription, Math.max(position, this.#newest.get(subscription) ?? 0))
    const day = dayOf(endedAt)
    const key = JSON.stringify([day, subscription, state])
    const known = this.#totals.get(key) ?? { amount: 0, attempts: 0 }
    const sum = { amount: known.amount + 1, attempts: known.attempts + attempts }
    this.#totals.set(key, { day, subscription, state, ...sum })
  }

  /** Runs inside the caller's write transaction. */
  save(db: Connection): void {
    for (const total of this.#totals.values()) db.run(COUNT_ROWS, { ...total })
    for (const [subscription, position] of this.#newest) db.run(NUMBER_ON, { subscription, position })
  }
}

const OLD_HOURS = new Query<RowOf<typeof TABLES.event_hours>>(
  `SELECT ${TABLES.event_hours.names} FROM event_hours WHERE hour <= ? ORDER BY hour LIMIT CAST(? AS INTEGER)`,
)
const COUNT_EVENTS = `
  ${TABLES.event_days.insertNamed} ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`
const FORGET_HOUR = 'DELETE FROM event_hours WHERE hour = :hour AND account = :account AND type = :type'

/** Puts at most `most` of the totals of hours that ended until `before` together by days. Returns whether those were all. */
function foldHours(db: Connection, before: number, most: number): boolean {
  const hours = db.all(OLD_HOURS, before - HOUR_MS, most)
  for (const { account, amount, hour, type } of hours) {
    db.run(COUNT_EVENTS, { day: dayOf(hour), account, type, amount })
    db.run(FORGET_HOUR, { hour, account, type })
  }
  return hours.length < most
}

// No row ends before its event rang, so the age of the event bounds the search.
const CANDIDATES = new Query<Candidate>(`
  SELECT ref, stored_at AS storedAt, sighting, NOT EXISTS (
    SELECT 1 FROM deliveries
    WHERE event = events.ref AND (finished_at IS NULL OR finished_at > :before)
  ) AND NOT ${OPENED_WHAT_IS_OPEN} AND ref <> (SELECT max(ref) FROM events) AS ended
  FROM events INDEXED BY events_bare
  WHERE expired_at IS NOT NULL AND stored_at <= :before AND (stored_at, ref) > (:storedAt, :ref)
  ORDER BY stored_at, ref LIMIT CAST(:limit AS INTEGER)`)
const ROWS = new Query<EndedRow & { readonly ref: number }>(
  'SELECT ref, subscription, state, finished_at AS endedAt, test, position FROM deliveries WHERE event = ?',
)
const DROP_ATTEMPTS = 'DELETE FROM attempts WHERE delivery = ?'
const DROP_ROW = 'DELETE FROM deliveries WHERE ref = ?'
const DROP_EVENT = 'DELETE FROM events WHERE ref = ?'

// The events of a sighting follow each other in the log.
const FREE_SIGHTING = `
  UPDATE sightings SET told = '' WHERE ref = :sighting
    AND :sighting IS NOT (SELECT sighting FROM events WHERE ref < :ref ORDER BY ref DESC LIMIT 1)
    AND :sighting IS NOT (SELECT sighting FROM events WHERE ref > :ref ORDER BY ref LIMIT 1)`

const MOVE_BEGIN = 'UPDATE ledger_begin SET dropped_to = max(ifnull(dropped_to, :to), :to)'

interface Candidate extends SweepPlace {
  readonly sighting: number | null
  readonly ended: number
}

const DROP_EXCEPTIONS = `
  DELETE FROM exceptions WHERE ref IN (
    SELECT ref FROM exceptions INDEXED BY exceptions_closed WHERE closed_at <= :before ORDER BY closed_at, ref LIMIT CAST(:limit AS INTEGER)
  )`

/**
 * `RetentionStore.dropEnded`, inside the caller's write transaction. A row may be under way still, though it was discarded. Event by
 * event, because a statement of SQLite is no round trip; none is held, because SQLite has one writer at a time.
 */
export function dropEnded(db: Connection, claims: OpenClaims, { after, before, limit }: LedgerSweep): SweptLedger {
  const candidates = db.all(CANDIDATES, { before, limit, ...(after ?? OLDEST) })
  const ended = candidates.filter(({ ended, ref }) => ended === 1 && !claims.hasEvent(ref))
  const rows = new DroppedRows()
  for (const event of ended) dropEvent(db, event, rows)
  rows.save(db)
  countGone(
    db,
    ended.map(({ ref }) => ref),
  )
  forgetHours(
    db,
    ended.map(({ storedAt }) => storedAt),
  )
  db.run(DROP_EXCEPTIONS, { before, limit })
  db.run(DROP_SILENT, { before, limit })
  if (ended.length > 0) db.run(MOVE_BEGIN, { to: before })
  const isFolded = foldHours(db, before, limit * HOURS_OF_AN_EVENT)
  const beyond = isFolded ? null : { storedAt: before, ref: Number.MAX_SAFE_INTEGER }
  return { dropped: ended.length, end: sweptTo(candidates, limit) ?? beyond }
}

function dropEvent(db: Connection, { ref, sighting }: Candidate, dropped: DroppedRows): void {
  for (const row of db.all(ROWS, ref)) {
    dropped.add(row, db.run(DROP_ATTEMPTS, row.ref))
    db.run(DROP_ROW, row.ref)
  }
  if (sighting !== null) db.run(FREE_SIGHTING, { ref, sighting })
  db.run(DROP_EVENT, ref)
}
