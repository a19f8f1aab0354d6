import type { Page } from '../../model/page.ts'
import type { LogQueryStore, QuarantinedRecord } from '../ports/log-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { isPlaceNumber, readCursor, writeCursor } from './cursor.ts'
import { deliveryPage } from './delivery-pages.sqlite.ts'
import { loadDelivery } from '../deliveries/ledger-rows.sqlite.ts'
import { eventPage, eventsAfter, lastPlace } from './event-pages.sqlite.ts'
import { toKeptEvent, toLoggedEvent } from '../events/event-rows.ts'
import { SQLITE } from './dialect.sqlite.ts'
import { atOnce } from './lookup.ts'
import { failureGroups } from './failure-groups.ts'
import { eventHours } from '../events/event-totals.sqlite.ts'
import { eventsNamed } from './named-events.ts'
import { Query } from '../file/query.ts'
import { countRetryable } from './retryable-count.ts'
import { retryableRows } from './retryable-rows.ts'

const [retryable, countOf, named, failures] = [
  retryableRows(SQLITE),
  countRetryable(SQLITE),
  eventsNamed(SQLITE),
  failureGroups(SQLITE),
]

export function logQueryStore(db: Connection): LogQueryStore {
  return {
    eventPage: (query) => db.read(() => eventPage(db, query, toLoggedEvent)),
    keptPage: (query) => db.read(() => eventPage(db, query, toKeptEvent)),
    deliveryPage: (query) => db.read(() => deliveryPage(db, query)),
    retryable: (query) => db.read(() => atOnce(retryable(db, query))),
    countRetryable: (query) => db.read(() => atOnce(countOf(db, query))),
    delivery: (id) => db.read(() => loadDelivery(db, id)),
    eventsNamed: (name, options) => db.read(() => atOnce(named(db, name, options))),
    eventsAfter: (place, limit) => db.read(() => eventsAfter(db, place, limit)),
    lastPlace: () => db.read(() => lastPlace(db)),
    eventHours: (since) => db.read(() => eventHours(db, since)),
    failures: (filter = {}) => db.read(() => atOnce(failures(db, filter))),
    quarantine: (query) => db.read(() => quarantinePage(db, query)),
  }
}

interface RejectionRow extends QuarantinedRecord {
  readonly ref: number
}

const REJECTED = new Query<RejectionRow>(`
  SELECT ref, account, resource, nullif(id, '') AS id, reason FROM rejections INDEXED BY rejections_account
  WHERE (account, ref) > (:after, :ref) ORDER BY account, ref LIMIT CAST(:most AS INTEGER)`)
const REJECTED_OF = new Query<RejectionRow>(`
  SELECT ref, account, resource, nullif(id, '') AS id, reason FROM rejections INDEXED BY rejections_account
  WHERE account = :account AND ref > :ref ORDER BY ref LIMIT CAST(:most AS INTEGER)`)

function quarantinePage(
  db: Connection,
  { account, cursor, limit }: Parameters<LogQueryStore['quarantine']>[0],
): Page<QuarantinedRecord> {
  const place = readCursor(cursor, 'quarantine', placeOf) ?? { after: '', ref: 0 }
  const most = limit + 1
  const found =
    account === undefined
      ? db.all(REJECTED, { ...place, most })
      : db.all(REJECTED_OF, { account, ref: place.ref, most })
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  const next = last === undefined ? null : writeCursor('quarantine', [last.account, last.ref])
  return { items: items.map(({ account: of, id, reason, resource }) => ({ account: of, resource, id, reason })), next }
}

function placeOf([after, ref, ...others]: readonly unknown[]): { readonly after: string; readonly ref: number } | null {
  return typeof after === 'string' && isPlaceNumber(ref) && others.length === 0 ? { after, ref } : null
}
