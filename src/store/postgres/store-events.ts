import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { laneOf } from '../common/delivery-names.ts'
import { plainColumns, textColumns } from '../common/event-row.ts'
import { EventTotals } from '../common/event-totals.ts'
import { newDelivery } from '../common/new-delivery.ts'
import type { Transaction } from './database.ts'
import type { Slot } from './documents.ts'
import { lockEndpoints } from './endpoint-lock.ts'
import { jsonRows } from './json-rows.ts'
import { lockLog } from './log-lock.ts'
import { writeTogether, type Part } from './together.ts'

const STORE = `
  log AS MATERIALIZED (
    SELECT coalesce(max(ref), 0) AS place FROM events
  ), sighting AS (
    INSERT INTO sightings (told) SELECT :told::text WHERE :told::text IS NOT NULL RETURNING ref
  ), added AS (
    INSERT INTO events (ref, id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp,
      stored_at, not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
    SELECT log.place + row.ref, id, account, sequence, type, resource, "subjectId", "subjectVersion", "previousEventId", timestamp,
      "storedAt", "notBefore", "notAfter", cause, (SELECT ref FROM sighting), "objectBody", "beforeBody", shipment, extras,
      changes, previous
    FROM log, json_to_recordset(:events::json) AS row (ref bigint, id text, account text, sequence bigint, type text,
      resource text, "subjectId" text, "subjectVersion" bigint, "previousEventId" text, timestamp bigint, "storedAt" bigint,
      "notBefore" bigint, "notAfter" bigint, cause text, "objectBody" bigint, "beforeBody" bigint, shipment text, extras text,
      changes text, previous text)
  ), series AS (
    UPDATE accounts SET last_sequence = row.sequence
    FROM unnest(:accounts::text[], :sequences::bigint[]) AS row (account, sequence) WHERE accounts.account = row.account
  ), total AS MATERIALIZED (
    SELECT * FROM json_to_recordset(:totals::json) AS row (hour bigint, account text, type text, resource text, amount bigint,
      first bigint)
  ), hours AS (
    INSERT INTO event_hours AS known (hour, account, type, amount)
    SELECT hour, account, type, sum(amount) FROM total GROUP BY 1, 2, 3
    ON CONFLICT (hour, account, type) DO UPDATE SET amount = known.amount + excluded.amount
  ), kinds AS (
    INSERT INTO event_kinds (account, type, resource) SELECT DISTINCT account, type, resource FROM total ON CONFLICT DO NOTHING
  ), begun AS (
    INSERT INTO log_hours (hour, first) SELECT hour, min(log.place + first) FROM log, total GROUP BY hour ON CONFLICT DO NOTHING
  ), delivery AS (
    INSERT INTO deliveries (id, event, subscription, lane, state, next_attempt_at, test, last_told)
    SELECT id, log.place + event, subscription, lane, state, "nextAttemptAt", test, "lastTold"
    FROM log, json_to_recordset(:deliveries::json) AS row (id text, event bigint, subscription text, lane bigint, state text,
      "nextAttemptAt" bigint, test bigint, "lastTold" bigint)
    ON CONFLICT (event, subscription) DO NOTHING
  )`

/** An event that no other has the id of, with its place in the series of its account. */
export interface NewEvent {
  readonly event: ShipbellEvent
  /** When it rings. */
  readonly storedAt: number
  readonly object: Slot | null
  readonly before: Slot | null
  /** Left out: that of its subject. */
  readonly lane?: number
}

export interface NewEvents {
  /** In the order of storing. */
  readonly events: readonly NewEvent[]
  /** Of these events. */
  readonly deliveries: readonly DeliveryDraft[]
  readonly provenance?: Provenance | undefined
  /** The new last `sequence` of each account that is held. */
  readonly sequences: ReadonlyMap<string, number>
  /** What else is written last, with them. */
  readonly beside?: Part | null
}

/**
 * Stores events with their deliveries at the end of the log. After everything else of a transaction, but for what counts its
 * documents: other commits with events wait from here to its end.
 */
export async function storeEvents(
  tx: Transaction,
  { beside = null, deliveries, events, provenance, sequences }: NewEvents,
): Promise<void> {
  if (events.length === 0) return
  await lockLog(tx)
  const open = await lockEndpoints(
    tx,
    deliveries.map(({ subscription }) => subscription),
  )
  // Where each lies behind the log's end so far.
  const routed = new Map(events.map((each, index) => [each.event.id, { ...each, ref: index + 1 }]))
  const values = {
    told: provenance === undefined ? null : JSON.stringify(provenance),
    events: jsonRows([...routed.values()].map(eventRow)),
    accounts: [...sequences.keys()],
    sequences: [...sequences.values()],
    totals: jsonRows(totalsOf([...routed.values()])),
    deliveries: jsonRows(deliveries.flatMap((draft) => deliveryRow(draft, { event: routed.get(draft.eventId), open }))),
  }
  await writeTogether(tx, { log: { sql: STORE, values }, beside })
}

type PlacedEvent = NewEvent & { readonly ref: number }

function eventRow({ before, event, object, ref, storedAt }: PlacedEvent) {
  const documents = { objectBody: object?.ref ?? null, beforeBody: before?.ref ?? null }
  return { ref, storedAt, ...plainColumns(event), ...documents, ...textColumns(event) }
}

function totalsOf(events: readonly PlacedEvent[]) {
  const totals = new EventTotals()
  for (const { event, ref, storedAt } of events)
    totals.add({ ref, account: event.account, type: event.type, resource: event.subject.resource, storedAt })
  return totals.all.map((total) => ({ ...total, account: total.account ?? NO_ACCOUNT }))
}

interface Routing {
  readonly event: PlacedEvent | undefined
  readonly open: ReadonlySet<string>
}

function deliveryRow(draft: DeliveryDraft, { event: of, open }: Routing) {
  if (of === undefined) return []
  const { event, ref, storedAt } = of
  const routed = { ref, dueAt: storedAt, test: event.cause === 'test', lane: of.lane ?? laneOf(event) }
  return [newDelivery(draft, routed, open.has(draft.subscription))]
}
