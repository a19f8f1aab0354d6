import type { Attempt } from '../../model/delivery.ts'
import type { EventStory } from '../../model/event-rule.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { textField } from '../../model/json.ts'
import type { QueryStore, SeenChange, SeenQuery } from '../ports/query-port.ts'
import { sequenceAt } from '../accounts/account-sequence.sqlite.ts'
import { lowerBoundSince } from '../events/event-totals.sqlite.ts'
import { accountOverviews, deferredRows, endpointOverviews } from './overviews.sqlite.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { toEvent, toLoggedEvent, type EventRow } from '../events/event-rows.ts'
import { loadProvenance } from '../events/event-rows.sqlite.ts'
import { openHolds } from '../lists/hold-rows.sqlite.ts'
import { inOrder } from '../lists/unproved-rows.ts'
import { openUnproved } from '../lists/unproved-rows.sqlite.ts'
import { droppedTo } from '../upkeep/ledger-end.sqlite.ts'
import { loadDeliveries } from '../deliveries/ledger-rows.sqlite.ts'
import { Query } from '../file/query.ts'

const ATTEMPTS = new Query<Attempt>(`
  SELECT at, duration_ms AS durationMs, status, error, answer FROM attempts
  WHERE delivery = (SELECT ref FROM deliveries WHERE id = ?) ORDER BY ref`)

export function queryStore(db: Connection): QueryStore {
  return {
    event: (id) => db.read(() => loadEvent(db, id)),
    story: (id) => db.read(() => eventStory(db, id)),
    droppedTo: () => db.read(() => droppedTo(db)),
    deliveries: (ids) => db.read(() => loadDeliveries(db, ids)),
    attempts: (deliveryId) => db.read(() => db.all(ATTEMPTS, deliveryId)),
    accounts: (now) => db.read(() => accountOverviews(db, now)),
    endpoints: () => db.read(() => endpointOverviews(db)),
    deferredRows: (now, subscription) => db.read(() => deferredRows(db, now, subscription ?? null)),
    changesSeen: (account, query) => db.read(() => changesSeen(db, account, query)),
    holds: () => db.read(() => inOrder([...openHolds(db), ...openUnproved(db)])),
  }
}

const BY_ID = new Query<EventRow>('SELECT * FROM events WHERE id = ?')
// An event's id names it alone; the subject is there for the index to find it by.
const NEXT = new Query<EventRow>('SELECT * FROM events WHERE subject_id = ? AND previous_event_id = ?')
const CORRECTIONS = new Query<EventRow>(
  `SELECT * FROM events WHERE subject_id = ? AND cause = 'correction' AND extras ->> '$.corrects' = ? ORDER BY ref`,
)

function loadEvent(db: Connection, id: string): LoggedEvent | null {
  const row = db.one(BY_ID, id)
  return row === undefined ? null : toLoggedEvent(row, new BodyReader(db))
}

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
  FROM (
    SELECT * FROM events INDEXED BY events_sequence
    WHERE ifnull(account, '') = :account AND sequence > :after ORDER BY sequence DESC LIMIT CAST(:most AS INTEGER)
  ) AS event
    LEFT JOIN reads
      ON reads.account = event.account AND reads.resource = event.resource AND reads.id = event.subject_id
    LEFT JOIN pages ON pages.ref = reads.page
  WHERE event.stored_at >= :since AND event.cause IN ('change', 'correction')
    AND event.not_before < event.not_after
    AND event.type NOT LIKE '%.removed' AND event.type NOT LIKE '%.restored'
  ORDER BY event.not_after, event.subject_id`)

function changesSeen(db: Connection, account: string, { most, since }: SeenQuery): readonly SeenChange[] {
  const after = sequenceAt(db, account, lowerBoundSince(db, since) - 1)
  return db.all(SEEN, { account, since, after, most })
}
