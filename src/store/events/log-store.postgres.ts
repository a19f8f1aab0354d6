import type { PlainRowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'
import { POSTGRES } from '../reports/dialect.postgres.ts'
import { awaited } from '../reports/lookup.ts'
import { logPages } from './log-store.ts'
import type { LogStore, Backfill } from '../ports/log-port.ts'
import { type EventRow } from './event-rows.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { addSample, ADD_DELIVERIES } from './event-rows.postgres.ts'
import { isOpen } from '../../ledger/endpoint-state.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { passTurns } from '../deliveries/lane-rows.postgres.ts'
import { laneOf, newDelivery, outermostPosition } from '../deliveries/new-delivery.ts'
import { lockAccounts } from '../accounts/accounts.postgres.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'
import { newestPosition, type Numbered, Numbering } from '../../ledger/positions.ts'
import { jsonRows } from '../server/statement-parts.ts'
import { saveNotifiedDates } from '../records/date-rows.postgres.ts'
import { retryRows } from '../deliveries/delivery-rows.postgres.ts'

const PAGES = logPages(POSTGRES)

export function logStore(db: Database): LogStore {
  return {
    logPage: (query) => db.read(async (tx) => await awaited(PAGES({ db, tx }, query))),
    backfill: (filling) => db.write(async (tx) => await backfill(tx, filling)),
    addSample: (sample) => db.write(async (tx) => await addSample(db, tx, sample)),
  }
}

type FoundEvent = Pick<EventRow, 'ref' | 'id' | 'cause' | 'account' | 'resource' | 'subject_id'>

// Held, so that no payload expires before its row is there.
const EVENTS = new Query<FoundEvent>(`
  SELECT ref, id, cause, account, resource, subject_id FROM events
  WHERE id = ANY(:ids::text[]) AND expired_at IS NULL ORDER BY ref FOR SHARE`)
// Behind the lock, by a statement of its own: one that waits for the lock sees no row of whoever held it.
const NUMBERED = new Query<Numbered & { readonly subscription: string }>(`
  SELECT subscription, dropped_position, ${outermostPosition('DESC')} AS kept_position
  FROM endpoints WHERE subscription = ANY(:subscriptions::text[])`)
const ADD = new Query<Row>(`${ADD_DELIVERIES} RETURNING ref, id, event, subscription`)
const FIND = new Query<Row>(`
  SELECT ref, id, delivery.event, delivery.subscription
  FROM unnest(:events::bigint[], :subscriptions::text[]) AS pair(event, subscription)
    JOIN deliveries AS delivery ON delivery.event = pair.event AND delivery.subscription = pair.subscription`)

type Row = Pick<PlainRowOf<typeof TABLES.deliveries>, 'ref' | 'id' | 'event' | 'subscription'>

interface Pair {
  readonly draft: DeliveryDraft
  readonly event: FoundEvent
}

/** `LogStore.backfill`, inside the caller's write transaction: all rows at once, because each statement is a round trip. */
async function backfill(tx: Transaction, { at, dates = [], deliveries }: Backfill): Promise<readonly string[]> {
  await lockAccounts(
    tx,
    dates.map(({ account }) => account ?? NO_ACCOUNT),
  )
  for (const of of dates) await saveNotifiedDates(tx, of.account ?? NO_ACCOUNT, of.dates)
  const endpoints = await lockEndpoints(
    tx,
    deliveries.map(({ subscription }) => subscription),
  )
  const found = await tx.all(EVENTS, { ids: deliveries.map(({ eventId }) => eventId) })
  const events = new Map(found.map((event) => [event.id, event]))
  const pairs = new Map(
    deliveries.flatMap((draft) => {
      const event = events.get(draft.eventId)
      return event === undefined ? [] : [[keyOf(event.ref, draft.subscription), { draft, event }] as const]
    }),
  )
  const known = await tx.all(FIND, columnsOf([...pairs.values()]))
  const others = byPair(known)
  const missing = [...pairs].flatMap(([key, pair]) => (others.has(key) ? [] : [pair]))
  const made = await make(tx, missing, { at, endpoints })
  const retried = await retryRows(
    tx,
    known.map(({ ref }) => ref),
    { at, delivered: false },
  )
  const due = byPair([...made, ...known.filter(({ ref }) => retried.has(ref))])
  return [...pairs.keys()].flatMap((key) => due.get(key) ?? [])
}

interface Making {
  readonly at: number
  readonly endpoints: Awaited<ReturnType<typeof lockEndpoints>>
}

/** Makes rows of pairs that have none; their endpoints are held. */
async function make(tx: Transaction, pairs: readonly Pair[], { at, endpoints }: Making): Promise<readonly Row[]> {
  if (pairs.length === 0) return []
  const numbered = await tx.all(NUMBERED, { subscriptions: [...endpoints.keys()] })
  const numbering = new Numbering(numbered.map((each) => [each.subscription, newestPosition(each)]))
  const rows = pairs.map((pair) => {
    const { cause, ref } = pair.event
    const { subscription } = pair.draft
    const endpoint = endpoints.get(subscription)
    const isOpenNow = endpoint !== undefined && isOpen(endpoint)
    const test = cause === 'test'
    const position = numbering.take({ subscription, test })
    const routed = { ref, dueAt: at, test, lane: laneOf(headingOf(pair.event)) }
    return newDelivery(pair.draft, routed, { isOpen: isOpenNow, ordered: endpoint?.ordered ?? 0, position })
  })
  const made = await tx.all(ADD, { rows: jsonRows(rows) })
  for (const { query, values } of passTurns(rows.filter(({ turn }) => turn !== null))) await tx.run(query, values)
  return made
}

function headingOf({ account, resource, subject_id: id }: FoundEvent) {
  return { account, subject: { resource, id } }
}

function columnsOf(pairs: readonly Pair[]) {
  return {
    events: pairs.map(({ event }) => event.ref),
    subscriptions: pairs.map(({ draft }) => draft.subscription),
  }
}

function byPair(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ event, id, subscription }) => [keyOf(event, subscription), id]))
}

function keyOf(event: number, subscription: string): string {
  return `${event} ${subscription}`
}
