import type { Attempt, Delivery, DeliveryState } from '../../model/delivery.ts'
import type { EventStory } from '../../model/event-rule.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { textField } from '../../model/json.ts'
import type { DeliveryFilter, EventFilter, QueryStore, SeenChange } from '../query-port.ts'
import { accountOverviews, deferredRows, endpointOverviews } from './overviews.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { loadProvenance, toEvent, toLoggedEvent, type EventRow } from './event-rows.ts'
import { openHolds } from './hold-rows.ts'
import { Query } from './query.ts'

const DELIVERY = `
  SELECT delivery.id, event.id AS eventId, event.type, event.account, delivery.subscription, delivery.state,
    delivery.attempts, delivery.last_status AS lastStatus,
    CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL AND delivery.claimed_by IS NULL
      THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS nextAttemptAt,
    delivery.last_error AS lastError, event.expired_at AS payloadExpiredAt,
    (
      SELECT first.id FROM deliveries AS first
      WHERE delivery.turn = 0 AND first.turn = 1
        AND first.subscription = delivery.subscription AND first.lane = delivery.lane
    ) AS waitsFor
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
const OF_ID = `
  delivery.ref IN (
    SELECT ref FROM deliveries WHERE id = ?
    UNION ALL SELECT ref FROM deliveries WHERE event = (SELECT ref FROM events WHERE id = ?)
  )`
// The second half bounds the search, which goes by the order of storing; the first decides.
const SINCE = 'event.stored_at >= ? AND delivery.event >= (SELECT min(ref) FROM events WHERE stored_at >= ?)'
const ATTEMPTS = new Query<Attempt>(`
  SELECT at, duration_ms AS durationMs, status, error, answer FROM attempts
  WHERE delivery = (SELECT ref FROM deliveries WHERE id = ?) ORDER BY ref`)

export function queryStore(db: Connection): QueryStore {
  return {
    events: (filter) => db.read(() => selectEvents(db, eventConditions(filter), filter.limit)),
    event: (id) => db.read(() => selectEvents(db, [{ sql: 'id = ?', values: [id] }], 1)[0] ?? null),
    story: (id) => db.read(() => eventStory(db, id)),
    deliveries: (filter) => db.read(() => selectDeliveries(db, filter)),
    attempts: (deliveryId) => db.read(() => db.all(ATTEMPTS, deliveryId)),
    accounts: (now) => db.read(() => accountOverviews(db, now)),
    endpoints: () => db.read(() => endpointOverviews(db)),
    deferredRows: (now, subscription) => db.read(() => deferredRows(db, now, subscription ?? null)),
    changesSeen: (account, since) => db.read(() => changesSeen(db, account, since)),
    holds: () => db.read(() => openHolds(db)),
  }
}

interface Condition {
  readonly sql: string
  /** As many as `sql` has `?`. */
  readonly values: readonly (string | number)[]
}

function selectEvents(db: Connection, conditions: readonly Condition[], limit: number): readonly LoggedEvent[] {
  const query = new Query<EventRow>(
    `SELECT * FROM events ${where(conditions)} ORDER BY stored_at DESC, ref DESC LIMIT ?`,
  )
  const bodies = new BodyReader(db)
  return db.all(query, ...conditions.flatMap(({ values }) => values), limit).map((row) => toLoggedEvent(row, bodies))
}

function eventConditions({ account, types, subjectId, since }: EventFilter): readonly Condition[] {
  return [
    ...optional('account = ?', account),
    ...optional('type IN (SELECT value FROM json_each(?))', list(types)),
    ...optional('subject_id = ?', subjectId),
    ...optional('stored_at >= ?', since),
  ]
}

function selectDeliveries(db: Connection, filter: DeliveryFilter): readonly Delivery[] {
  const conditions = deliveryConditions(filter)
  const query = new Query<Delivery>(
    `${DELIVERY} ${where(conditions)} ORDER BY delivery.event DESC, delivery.ref DESC LIMIT ?`,
  )
  return db.all(query, ...conditions.flatMap(({ values }) => values), filter.limit)
}

function deliveryConditions({
  id,
  ids,
  subscription,
  states,
  since,
  tests = true,
}: DeliveryFilter): readonly Condition[] {
  return [
    ...optional('delivery.id IN (SELECT value FROM json_each(?))', list(ids)),
    ...(id === undefined ? [] : [{ sql: OF_ID, values: [id, id] }]),
    ...optional('delivery.subscription = ?', subscription),
    ...optional(`${stateColumn(states)} IN (SELECT value FROM json_each(?))`, list(states)),
    ...(since === undefined ? [] : [{ sql: SINCE, values: [since, since] }]),
    ...(tests ? [] : [{ sql: 'delivery.test = 0', values: [] }]),
  ]
}

/**
 * Rows that were not delivered are few, and an index by state finds them; delivered ones are most of the ledger, and the
 * newest come soonest from the ledger itself (`+` keeps SQLite from the index).
 */
function stateColumn(states: readonly DeliveryState[] | undefined): string {
  return states?.includes('delivered') === true ? '+delivery.state' : 'delivery.state'
}

function optional(sql: string, value: string | number | undefined): readonly Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

function list(values: readonly string[] | undefined): string | undefined {
  return values === undefined ? undefined : JSON.stringify(values)
}

function where(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
}

const BY_ID = new Query<EventRow>('SELECT * FROM events WHERE id = ?')
// An event's id names it alone; the subject is there for the index to find it by.
const NEXT = new Query<EventRow>('SELECT * FROM events WHERE subject_id = ? AND previous_event_id = ?')
const CORRECTIONS = new Query<EventRow>(
  `SELECT * FROM events WHERE subject_id = ? AND cause = 'correction' AND extras ->> '$.corrects' = ? ORDER BY ref`,
)

/** `QueryStore.story`, inside one read transaction. */
function eventStory(db: Connection, id: string): EventStory | null {
  const bodies = new BodyReader(db)
  const row = db.one(BY_ID, id)
  if (row === undefined) return null
  const eventOf = (found: EventRow | undefined): ShipbellEvent | null =>
    found === undefined ? null : toEvent(found, bodies)
  const event = toLoggedEvent(row, bodies)
  const named = (other: string | null) => (other === null ? null : eventOf(db.one(BY_ID, other)))
  return {
    event,
    provenance: loadProvenance(db, row.sighting),
    previous: named(row.previous_event_id),
    next: eventOf(db.one(NEXT, row.subject_id, id)),
    corrects: named(textField(event.extras, 'corrects')),
    correctedBy: db.all(CORRECTIONS, row.subject_id, id).map((each) => toEvent(each, bodies)),
  }
}

const SEEN = new Query<SeenChange>(`
  SELECT DISTINCT event.resource, event.subject_id AS id, event.not_before AS notBefore, event.not_after AS notAfter,
    pages.skip
  FROM events AS event INDEXED BY events_time
    LEFT JOIN reads
      ON reads.account = event.account AND reads.resource = event.resource AND reads.id = event.subject_id
    LEFT JOIN pages ON pages.ref = reads.page
  WHERE event.stored_at >= :since AND event.account = :account AND event.cause IN ('change', 'correction')
    AND event.not_before < event.not_after
    AND event.type NOT LIKE '%.removed' AND event.type NOT LIKE '%.restored'
  ORDER BY event.not_after, event.subject_id`)

function changesSeen(db: Connection, account: string, since: number): readonly SeenChange[] {
  return db.all(SEEN, { account, since })
}
