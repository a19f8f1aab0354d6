import type { Page } from '../../model/page.ts'
import type { LogQueryStore, QuarantinedRecord } from '../ports/log-query-port.ts'
import { isPlaceNumber, readCursor, writeCursor } from './cursor.ts'
import { toKeptEvent, toLoggedEvent } from '../events/event-rows.ts'
import type { Database } from '../server/database.ts'
import { deliveryPage } from './delivery-pages.postgres.ts'
import { eventPage, eventsAfter, lastPlace } from './event-pages.postgres.ts'
import { POSTGRES } from './dialect.postgres.ts'
import { awaited } from './lookup.ts'
import { failureGroups } from './failure-groups.ts'
import { loadDelivery } from '../deliveries/ledger-rows.postgres.ts'
import { eventHours } from '../events/event-totals.postgres.ts'
import { eventsNamed } from './named-events.ts'
import { Query } from '../server/query.ts'
import { countRetryable } from './retryable-count.ts'
import { retryableRows } from './retryable-rows.ts'

const [retryable, countOf, named, failures] = [
  retryableRows(POSTGRES),
  countRetryable(POSTGRES),
  eventsNamed(POSTGRES),
  failureGroups(POSTGRES),
]

export function logQueryStore(db: Database): LogQueryStore {
  return {
    eventPage: (query) => db.read(async (tx) => await eventPage({ db, tx }, query, toLoggedEvent)),
    keptPage: (query) => db.read(async (tx) => await eventPage({ db, tx }, query, toKeptEvent)),
    deliveryPage: (query) => db.read(async (tx) => await deliveryPage(tx, query)),
    retryable: (query) => db.read(async (tx) => await awaited(retryable({ db, tx }, query))),
    countRetryable: (query) => db.read(async (tx) => await awaited(countOf({ db, tx }, query))),
    delivery: (id) => loadDelivery(db, id),
    eventsNamed: (name, options) => db.read(async (tx) => await awaited(named({ db, tx }, name, options))),
    eventsAfter: (place, limit) => db.read(async (tx) => await eventsAfter({ db, tx }, place, limit)),
    lastPlace: () => lastPlace(db),
    eventHours: (since) => eventHours(db, since),
    failures: (filter = {}) => db.read(async (tx) => await awaited(failures({ db, tx }, filter))),
    quarantine: (query) => quarantinePage(db, query),
  }
}

interface RejectionRow extends QuarantinedRecord {
  readonly ref: number
}

const REJECTED = new Query<RejectionRow>(`
  SELECT ref, account, resource, nullif(id, '') AS id, reason FROM rejections
  WHERE (account, ref) > (:after, :ref) ORDER BY account, ref LIMIT :most`)
const REJECTED_OF = new Query<RejectionRow>(`
  SELECT ref, account, resource, nullif(id, '') AS id, reason FROM rejections
  WHERE account = :account AND ref > :ref ORDER BY ref LIMIT :most`)

async function quarantinePage(
  db: Database,
  { account, cursor, limit }: Parameters<LogQueryStore['quarantine']>[0],
): Promise<Page<QuarantinedRecord>> {
  const place = readCursor(cursor, 'quarantine', placeOf) ?? { after: '', ref: 0 }
  const most = limit + 1
  const found =
    account === undefined
      ? await db.all(REJECTED, { ...place, most })
      : await db.all(REJECTED_OF, { account, ref: place.ref, most })
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  const next = last === undefined ? null : writeCursor('quarantine', [last.account, last.ref])
  return { items: items.map(({ account: of, id, reason, resource }) => ({ account: of, resource, id, reason })), next }
}

function placeOf([after, ref, ...others]: readonly unknown[]): { readonly after: string; readonly ref: number } | null {
  return typeof after === 'string' && isPlaceNumber(ref) && others.length === 0 ? { after, ref } : null
}
