import type { Attempt } from '../../model/delivery.ts'
import type { EventStory } from '../../model/event-rule.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { textField } from '../../model/json.ts'
import type { QueryStore, SeenChange, SeenQuery } from '../ports/query-port.ts'
import { toEvent, toLoggedEvent, type EventRow } from '../events/event-rows.ts'
import { accountOverviews } from './account-overviews.postgres.ts'
import { sequenceAt } from '../accounts/account-sequence.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { endpointOverviews } from './endpoint-overviews.postgres.ts'
import { deferredRows } from '../endpoints/endpoint-reads.postgres.ts'
import { documentsOfEvents, type EventSource } from '../documents/event-documents.postgres.ts'
import { loadProvenance } from '../events/provenance.postgres.ts'
import { openHolds } from '../lists/hold-rows.postgres.ts'
import { inOrder } from '../lists/unproved-rows.ts'
import { openUnproved } from '../lists/unproved-rows.postgres.ts'
import { droppedTo } from '../upkeep/ledger-end.postgres.ts'
import { loadDeliveries } from '../deliveries/ledger-rows.postgres.ts'
import { lowerBoundSince } from '../events/event-totals.postgres.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'

const ATTEMPTS = new Query<Attempt>(`
  SELECT at, duration_ms AS "durationMs", status, error, answer FROM attempts
  WHERE delivery = (SELECT ref FROM deliveries WHERE id = :deliveryId) ORDER BY ref`)

export function queryStore(db: Database): QueryStore {
  return {
    event: (id) => db.read(async (tx) => await loadEvent({ db, tx }, id)),
    story: (id) => db.read(async (tx) => await eventStory({ db, tx }, id)),
    droppedTo: () => droppedTo(db),
    deliveries: (ids) => loadDeliveries(db, ids),
    attempts: (deliveryId) => db.all(ATTEMPTS, { deliveryId }),
    accounts: (now) => db.read(async (tx) => await accountOverviews({ db, tx }, now)),
    endpoints: () => endpointOverviews(db),
    deferredRows: (now, subscription) => deferredRows(db, now, subscription ?? null),
    changesSeen: (account, query) => db.read(async (tx) => await changesSeen(tx, account, query)),
    holds: async () => inOrder([...(await openHolds(db)), ...(await openUnproved(db))]),
  }
}

const BY_ID = new Query<EventRow>('SELECT * FROM events WHERE id = :id')
// The subject is there for the index to find them by. What an event corrects is read where its text was found: it may not be JSON
// that PostgreSQL can read.
const BESIDE = new Query<EventRow>(`
  SELECT * FROM events WHERE id = ANY(:named::text[])
  UNION ALL
  SELECT * FROM events
  WHERE hashtextextended(subject_id, 0) = hashtextextended(:subject, 0) AND subject_id = :subject AND id <> ALL(:named::text[])
    AND (previous_event_id = :id OR (cause = 'correction' AND strpos(extras, :id) > 0))
  ORDER BY ref`)

async function loadEvent(source: EventSource, id: string): Promise<LoggedEvent | null> {
  const row = await source.tx.one(BY_ID, { id })
  return row === undefined ? null : toLoggedEvent(row, await documentsOfEvents(source, [row]))
}

/** `QueryStore.story`, inside one read transaction. */
async function eventStory(source: EventSource, id: string): Promise<EventStory | null> {
  const { tx } = source
  const row = await tx.one(BY_ID, { id })
  if (row === undefined) return null
  const corrects = correctedBy(row)
  const named = [row.previous_event_id, corrects].filter((other) => other !== null)
  const beside = await tx.all(BESIDE, { id, subject: row.subject_id, named })
  const bodies = await documentsOfEvents(source, [row, ...beside])
  const eventOf = (found: EventRow | undefined): ShipbellEvent | null =>
    found === undefined ? null : toEvent(found, bodies)
  return {
    event: toLoggedEvent(row, bodies),
    provenance: await loadProvenance(tx, row.sighting),
    previous: eventOf(beside.find((each) => each.id === row.previous_event_id)),
    next: eventOf(beside.find((each) => each.previous_event_id === id)),
    corrects: eventOf(beside.find((each) => each.id === corrects)),
    correctedBy: beside
      .filter((each) => each.cause === 'correction' && correctedBy(each) === id)
      .map((each) => toEvent(each, bodies)),
  }
}

/** The event that an event corrects; null: none. */
function correctedBy({ extras }: EventRow): string | null {
  return textField(JSON.parse(extras), 'corrects')
}

const SEEN = new Query<SeenChange>(`
  SELECT DISTINCT event.resource, event.subject_id AS id, event.not_before AS "notBefore", event.not_after AS "notAfter",
    pages.skip
  FROM (
    SELECT * FROM events
    WHERE coalesce(account, '') = :account AND sequence > :after ORDER BY sequence DESC LIMIT :most
  ) AS event
    LEFT JOIN ${rowOfKey('reads', { account: 'event.account', resource: 'event.resource', id: 'event.subject_id' })}
      AS reads ON true
    LEFT JOIN pages ON pages.ref = reads.page
  WHERE event.stored_at >= :since AND event.cause IN ('change', 'correction')
    AND event.not_before < event.not_after
    AND event.type NOT LIKE '%.removed' AND event.type NOT LIKE '%.restored'
  ORDER BY "notAfter", id, "notBefore", resource, skip`)

async function changesSeen(
  tx: Transaction,
  account: string,
  { most, since }: SeenQuery,
): Promise<readonly SeenChange[]> {
  const after = await sequenceAt(tx, account, (await lowerBoundSince(tx, since)) - 1)
  return await tx.all(SEEN, { account, since, after, most })
}
