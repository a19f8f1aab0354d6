import type { ArrivalStore } from '../ports/arrival-port.ts'
import type { LogQueryStore } from '../ports/log-query-port.ts'
import type { RecordQueryStore } from '../ports/record-query-port.ts'
import type { QueryStore } from '../ports/query-port.ts'
import { accountOverviews, endpointOverviews } from './overviews.sqlite.ts'
import { queries } from './query-store.ts'
import type { Connection } from '../file/connection.ts'
import { SQLITE } from './dialect.sqlite.ts'
import type { ExceptionStore } from '../ports/exception-port.ts'
import { arrivalQueries } from './arrivals.ts'
import { feedQueries } from './feeds.ts'
import type { FeedStore } from '../ports/feed-port.ts'
import { exceptionQueries } from './exceptions.ts'
import { logQueries } from './log-query-store.ts'
import { atOnce, type Lookup } from './lookup.ts'
import { recordQueries } from './record-query-store.ts'
import { askIndex } from './record-search.sqlite.ts'

const ARRIVALS = arrivalQueries(SQLITE)
const FEEDS = feedQueries(SQLITE)
const LOG = logQueries(SQLITE)
const EXCEPTIONS = exceptionQueries(SQLITE)
const QUERIES = queries(SQLITE)
const RECORDS = recordQueries(SQLITE, askIndex)

type Reports = ArrivalStore &
  Pick<FeedStore, 'feedPart'> &
  LogQueryStore &
  RecordQueryStore &
  QueryStore &
  Omit<ExceptionStore, 'acknowledge'>

export function reports(db: Connection): Reports {
  // Each lookup is one transaction, because a single statement of SQLite begins one all the same.
  const whole = <T>(lookup: (source: Connection) => Lookup<T>): Promise<T> => db.read(() => atOnce(lookup(db)))
  const reader = { whole, single: whole }
  return {
    ...ARRIVALS(reader),
    ...FEEDS(reader),
    ...LOG(reader),
    ...RECORDS(reader),
    ...EXCEPTIONS(reader),
    ...QUERIES(reader),
    accounts: (now) => db.read(() => accountOverviews(db, now)),
    endpoints: () => db.read(() => endpointOverviews(db)),
  }
}
