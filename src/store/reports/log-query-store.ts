import { hourOf } from '../../ledger/events.ts'
import type { Page } from '../../model/page.ts'
import type { EventHour, LogQueryStore, QuarantinedRecord } from '../ports/log-query-port.ts'
import { isPlaceNumber, readCursor, writeCursor } from './ranges.ts'
import { DeliveryPages } from './delivery-pages.ts'
import type { Dialect } from './dialect.ts'
import { EventPages } from './event-pages.ts'
import { failureGroups } from './failures.ts'
import type { Lookup, Reader } from './lookup.ts'
import { eventsNamed } from './event-stories.ts'
import { countRetryable, retryableRows } from './retryable.ts'

/** The statements of a dialect, prepared once, for any store of it. */
export function logQueries<Source>(dialect: Dialect<Source>): (read: Reader<Source>) => LogQueryStore {
  const [events, deliveries, quarantine] = [
    new EventPages(dialect),
    new DeliveryPages(dialect),
    quarantinePage(dialect),
  ]
  const [retryable, counted] = [retryableRows(dialect), countRetryable(dialect)]
  const [named, failures] = [eventsNamed(dialect), failureGroups(dialect)]
  const hours = dialect.all<EventHour>(`
    SELECT hour, nullif(account, '') AS account, type, amount FROM event_hours
    WHERE hour >= :hour ORDER BY event_hours.hour, event_hours.account, event_hours.type`)
  return (read) => ({
    eventPage: (query) => read.whole((source) => events.page(source, query)),
    deliveryPage: (query) => read.whole((source) => deliveries.page(source, query)),
    retryable: (query) => read.whole((source) => retryable(source, query)),
    countRetryable: (query) => read.whole((source) => counted(source, query)),
    eventsNamed: (name, options) => read.whole((source) => named(source, name, options)),
    logEnds: () => read.single((source) => events.ends(source)),
    // The hour that `since` lies in counts whole.
    eventHours: (since) => read.single((source) => hours(source, { hour: hourOf(since) })),
    failures: (filter = {}) => read.whole((source) => failures(source, filter)),
    quarantine: (query) => read.single((source) => quarantine(source, query)),
  })
}

interface RejectionRow extends QuarantinedRecord {
  readonly ref: number
}

type QuarantineQuery = Parameters<LogQueryStore['quarantine']>[0]

function quarantinePage<Source>({
  all,
  by,
}: Dialect<Source>): (source: Source, query: QuarantineQuery) => Lookup<Page<QuarantinedRecord>> {
  const rows = `SELECT ref, account, resource, nullif(id, '') AS id, reason FROM rejections ${by('rejections_account')}`
  const most = 'LIMIT CAST(:most AS integer)'
  const ofAll = all<RejectionRow>(`${rows} WHERE (account, ref) > (:after, :ref) ORDER BY account, ref ${most}`)
  const ofAccount = all<RejectionRow>(`${rows} WHERE account = :account AND ref > :ref ORDER BY ref ${most}`)
  return function* (source, { account, cursor, limit }) {
    const place = readCursor(cursor, 'quarantine', placeOf) ?? { after: '', ref: 0 }
    const asked = { ...place, most: limit + 1 }
    const found = yield* account === undefined ? ofAll(source, asked) : ofAccount(source, { ...asked, account })
    const items = found.slice(0, limit)
    const last = found.length > limit ? items.at(-1) : undefined
    const next = last === undefined ? null : writeCursor('quarantine', [last.account, last.ref])
    return {
      items: items.map(({ account: of, id, reason, resource }) => ({ account: of, resource, id, reason })),
      next,
    }
  }
}

function placeOf([after, ref, ...others]: readonly unknown[]): { readonly after: string; readonly ref: number } | null {
  return typeof after === 'string' && isPlaceNumber(ref) && others.length === 0 ? { after, ref } : null
}
