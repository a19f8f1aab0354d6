import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import { type EndpointSwitches, isOpen } from '../../ledger/endpoint-state.ts'
import { addressedSeries, EventTotals, type FreshEvent } from '../../ledger/events.ts'
import { newestPosition, type Numbered, Numbering } from '../../ledger/positions.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { deliveryId } from '../../model/delivery-id.ts'
import type { EventDraft, ShipbellEvent } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import { laneOf, NEW_DELIVERY, newDelivery } from '../deliveries/new-delivery.ts'
import { passTurns } from '../deliveries/lane-rows.postgres.ts'
import { DocumentWriter, type Slot } from '../documents/documents.postgres.ts'
import { jsonRows, type Look, type Part, writeTogether } from '../server/statement-parts.ts'
import type { Database, Transaction } from '../server/database.ts'
import { textColumns } from './event-rows.ts'
import { totalRows } from './event-totals.postgres.ts'
import { Query } from '../server/query.ts'
import type { SampleDelivery } from '../ports/log-port.ts'

/** An event that no other has the id of, with its place in the series of its account. */
export interface NewEvent {
  readonly event: ShipbellEvent
  /** When it rings. */
  readonly storedAt: number
  readonly object: Slot | null
  readonly before: Slot | null
  /** The lane of its deliveries; left out: that of its subject. */
  readonly lane?: number
}

interface NewEvents {
  /** Events in the order of storing. */
  readonly events: readonly NewEvent[]
  /** Deliveries of these events; those of other events are left out. */
  readonly deliveries: readonly DeliveryDraft[]
  readonly provenance?: Provenance | undefined
  /** The new last `sequence` of each account that is held. */
  readonly sequences: ReadonlyMap<string, number>
}

const STORED = 'SELECT id FROM events WHERE id = ANY(:ids::text[])'

/** Looks up which events are stored already. Their accounts are held. null: there are no events. */
export function storedIds(events: readonly EventDraft[]): Look<{ id: string }> | null {
  return events.length === 0 ? null : { sql: STORED, values: { ids: events.map(({ id }) => id) } }
}

/**
 * Stores events with their deliveries at the end of the log, and settles the documents of the transaction. The last thing that a
 * transaction does: other commits with events wait from here to its end, because workers commit at the same time, and places in
 * the log are in the order of commits.
 */
export async function storeEvents(tx: Transaction, news: NewEvents, documents: DocumentWriter): Promise<void> {
  const { events, provenance, sequences } = news
  const drafts = draftsOf(news)
  const end = await lockLogEnd(tx, [...new Set(drafts.map(({ draft }) => draft.subscription))])
  const placed = events.map((each, index) => ({ ...each, ref: refAt(end, index) }))
  const deliveries = deliveryRows(drafts, end)
  const writes = {
    told: provenance === undefined ? null : { sql: TOLD, values: { told: JSON.stringify(provenance) } },
    events: { sql: provenance === undefined ? ADD : ADD_TOLD, values: { rows: jsonRows(placed.map(eventRow)) } },
    series: seriesRows(sequences),
    totals: totalRows(totalsOf(placed)),
    deliveries: deliveries.length === 0 ? null : { sql: DELIVER, values: { rows: jsonRows(deliveries) } },
  }
  const lines = passTurns(deliveries.filter(({ turn }) => turn !== null))
  // At once, because others wait for the log: each sees what the one before it wrote.
  await Promise.all([
    writeTogether(tx, writes, { uses: documents.counted() }),
    ...lines.map(async ({ query, values }) => await tx.run(query, values)),
  ])
}

const TOLD = 'told AS (INSERT INTO sightings (told) VALUES (:told) RETURNING ref)'
const NEW_EVENTS = TABLES.events.without('expired_at')
const addEvents = (sighting: string): string => `event AS (${NEW_EVENTS.insertAll({ sighting })})`
const ADD = addEvents('NULL')
/** Together with what tells how they came to be known. */
const ADD_TOLD = addEvents('(SELECT ref FROM told)')

type PlacedEvent = NewEvent & { readonly ref: number }

function refAt({ last }: LogEnd, index: number): number {
  return last + 1 + index
}

function eventRow({ before, event, object, ref, storedAt }: PlacedEvent): Omit<RowOf<typeof NEW_EVENTS>, 'sighting'> {
  const { account, cause, id, observed, sequence, subject, timestamp, type } = event
  const { previousEventId, resource, id: subjectId, version: subjectVersion } = subject
  const ofSubject = { resource, subjectId, subjectVersion, previousEventId }
  const seen = { notBefore: observed?.notBefore ?? null, notAfter: observed?.notAfter ?? null }
  const documents = { objectBody: object?.ref ?? null, beforeBody: before?.ref ?? null }
  const texts = textColumns(event)
  return { ref, id, account, sequence, type, ...ofSubject, timestamp, storedAt, ...seen, cause, ...documents, ...texts }
}

function totalsOf(events: readonly PlacedEvent[]): EventTotals {
  const totals = new EventTotals()
  for (const { event, ref, storedAt } of events) {
    const { account, cause, subject, type } = event
    totals.add({ ref, account, cause, type, resource: subject.resource, storedAt })
  }
  return totals
}

const SERIES = `
  series AS (
    UPDATE accounts SET last_sequence = row.sequence
    FROM unnest(:accounts::text[], :sequences::bigint[]) AS row (account, sequence) WHERE accounts.account = row.account
  )`

function seriesRows(sequences: ReadonlyMap<string, number>): Part | null {
  if (sequences.size === 0) return null
  return { sql: SERIES, values: { accounts: [...sequences.keys()], sequences: [...sequences.values()] } }
}

/** Adds deliveries of pairs that have none. */
export const ADD_DELIVERIES = NEW_DELIVERY.insertAll()
const DELIVER = `delivery AS (${ADD_DELIVERIES})`

interface PlacedDraft {
  readonly draft: DeliveryDraft
  readonly of: NewEvent
  /** The place of its event among the new ones. */
  readonly index: number
}

/** Each pair once: a row that is not made would leave a hole in the numbers. */
function draftsOf({ deliveries, events }: NewEvents): readonly PlacedDraft[] {
  const places = new Map(events.map((of, index) => [of.event.id, { of, index }]))
  const pairs = new Set<string>()
  return deliveries.flatMap((draft) => {
    const place = places.get(draft.eventId)
    const pair = `${place?.index} ${draft.subscription}`
    if (place === undefined || pairs.has(pair)) return []
    pairs.add(pair)
    return [{ draft, ...place }]
  })
}

function deliveryRows(drafts: readonly PlacedDraft[], end: LogEnd) {
  const numbering = new Numbering([...end.endpoints].map(([name, endpoint]) => [name, newestPosition(endpoint)]))
  return drafts.map(({ draft, index, of: { event, lane = laneOf(event), storedAt: dueAt } }) => {
    const routed = { ref: refAt(end, index), dueAt, test: event.cause === 'test', lane }
    const endpoint = end.endpoints.get(draft.subscription)
    const isOpenNow = endpoint !== undefined && isOpen(endpoint)
    const position = numbering.take({ subscription: draft.subscription, test: routed.test })
    return newDelivery(draft, routed, { isOpen: isOpenNow, ordered: endpoint?.ordered ?? 0, position })
  })
}

const LOCK = new Query('SELECT hold_log()')
const LOCK_WITH_ENDPOINTS = Query.frequent<{ last: number; endpoints: readonly HeldEndpoint[] }>(
  'SELECT last, endpoints FROM hold_log_with(:subscriptions::text[])',
)

interface HeldEndpoint extends EndpointSwitches, Numbered {
  readonly subscription: string
  readonly ordered: number
}

/** Holds the log until the transaction ends. */
export async function lockLog(tx: Transaction): Promise<void> {
  await tx.all(LOCK)
}

/** Where the log ends that is held, and the endpoints that are held behind it, by name. */
interface LogEnd {
  readonly last: number
  readonly endpoints: ReadonlyMap<string, HeldEndpoint>
}

/** Holds the log until the transaction ends, and then endpoints, whose missing rows it makes. */
async function lockLogEnd(tx: Transaction, subscriptions: readonly string[]): Promise<LogEnd> {
  const { endpoints = [], last = 0 } = (await tx.one(LOCK_WITH_ENDPOINTS, { subscriptions })) ?? {}
  return { last, endpoints: new Map(endpoints.map((endpoint) => [endpoint.subscription, endpoint])) }
}

const LOWEST = new Query<{ sequence: number }>(`
  SELECT sequence FROM events WHERE coalesce(account, '') = :account ORDER BY sequence LIMIT 1`)

/** The lowest `sequence` of each series that has addressed events among these. They are held. */
export async function lowestSequences(
  tx: Pick<Transaction, 'one'>,
  fresh: readonly FreshEvent[],
): Promise<ReadonlyMap<string, number>> {
  const lowest = new Map<string, number>()
  for (const account of addressedSeries(fresh)) lowest.set(account, (await tx.one(LOWEST, { account }))?.sequence ?? 0)
  return lowest
}

/**
 * `LogStore.addSample`, inside the caller's write transaction. Samples are numbered downwards from -1 among the events of no
 * account, so that no series moves; `toEvent` shows them as of the samples' account, without the sign.
 */
export async function addSample(
  db: Database,
  tx: Transaction,
  { at, event, subscription }: SampleDelivery,
): Promise<string> {
  const documents = new DocumentWriter(db)
  const [object, before] = [documents.slotOf(event.object), documents.slotOf(event.before)]
  documents.uses.add(object, before)
  await documents.store(tx)
  await lockLog(tx)
  const sequence = Math.min((await tx.one(LOWEST, { account: NO_ACCOUNT }))?.sequence ?? 0, 0) - 1
  const stored = { ...event, account: null, sequence, cause: 'test' } as const
  // A lane of its own: no event of the subject waits for it, nor it for any.
  const lane = laneOf({ account: null, subject: { resource: event.subject.resource, id: event.id } })
  const draft = { eventId: event.id, subscription }
  const events = [{ event: stored, storedAt: at, object, before, lane }]
  await storeEvents(tx, { events, deliveries: [draft], sequences: new Map() }, documents)
  return deliveryId(draft, at)
}
