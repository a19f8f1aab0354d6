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
import { laneOf, newDelivery } from '../deliveries/new-delivery.ts'
import { lockAccounts } from '../accounts/accounts.postgres.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'
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
  const pairs = deliveries.flatMap((draft) => {
    const event = events.get(draft.eventId)
    return event === undefined ? [] : [{ draft, event }]
  })
  const rows = pairs.map((pair) => {
    const endpoint = endpoints.get(pair.draft.subscription)
    return rowOf(pair, { at, isOpen: endpoint !== undefined && isOpen(endpoint), ordered: endpoint?.ordered ?? 0 })
  })
  const made = await tx.all(ADD, { rows: jsonRows(rows) })
  for (const { query, values } of passTurns(rows.filter(({ turn }) => turn !== null))) await tx.run(query, values)
  const due = byPair([...made, ...(await retryOthers(tx, pairs, { made: byPair(made), at }))])
  return pairs.flatMap((pair) => due.get(keyOf(pair)) ?? [])
}

function rowOf(
  { draft, event }: Pair,
  { at, ...endpoint }: { readonly at: number; readonly isOpen: boolean; readonly ordered: number },
) {
  const { account, cause, ref, resource, subject_id: id } = event
  const lane = laneOf({ account, subject: { resource, id } })
  return newDelivery(draft, { ref, dueAt: at, test: cause === 'test', lane }, endpoint)
}

/** The rows that were there already and are due by it. */
async function retryOthers(
  tx: Transaction,
  pairs: readonly Pair[],
  { at, made }: { readonly at: number; readonly made: ReadonlyMap<string, string> },
): Promise<readonly Row[]> {
  const others = pairs.filter((pair) => !made.has(keyOf(pair)))
  if (others.length === 0) return []
  const rows = await tx.all(FIND, {
    events: others.map(({ event }) => event.ref),
    subscriptions: others.map(({ draft }) => draft.subscription),
  })
  const retried = await retryRows(
    tx,
    rows.map(({ ref }) => ref),
    { at, delivered: false },
  )
  return rows.filter(({ ref }) => retried.has(ref))
}

function byPair(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ event, id, subscription }) => [`${event} ${subscription}`, id]))
}

function keyOf({ draft, event }: Pair): string {
  return `${event.ref} ${draft.subscription}`
}
