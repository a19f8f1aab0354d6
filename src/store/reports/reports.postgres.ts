import type { ArrivalStore } from '../ports/arrival-port.ts'
import type { LogQueryStore } from '../ports/log-query-port.ts'
import type { RecordQueryStore } from '../ports/record-query-port.ts'
import type { QueryStore } from '../ports/query-port.ts'
import { accountOverviews, endpointOverviews } from './overviews.postgres.ts'
import { queries } from './query-store.ts'
import type { Database } from '../server/database.ts'
import { POSTGRES, type ReportSource } from './dialect.postgres.ts'
import type { ExceptionStore } from '../ports/exception-port.ts'
import { arrivalQueries } from './arrivals.ts'
import { feedQueries } from './feeds.ts'
import type { FeedStore } from '../ports/feed-port.ts'
import { exceptionQueries } from './exceptions.ts'
import { logQueries } from './log-query-store.ts'
import { awaited, type Reader } from './lookup.ts'
import { recordQueries } from './record-query-store.ts'
import { askIndex } from './record-search.postgres.ts'

const ARRIVALS = arrivalQueries(POSTGRES)
const FEEDS = feedQueries(POSTGRES)
const LOG = logQueries(POSTGRES)
const EXCEPTIONS = exceptionQueries(POSTGRES)
const QUERIES = queries(POSTGRES)
const RECORDS = recordQueries(POSTGRES, askIndex)

type Reports = ArrivalStore &
  Pick<FeedStore, 'feedPart'> &
  LogQueryStore &
  RecordQueryStore &
  QueryStore &
  Omit<ExceptionStore, 'acknowledge'>

export function reports(db: Database): Reports {
  const reader: Reader<ReportSource> = {
    whole: (lookup) => db.read(async (tx) => await awaited(lookup({ db, tx }))),
    // One statement sees one state by itself: half the round trips.
    single: (lookup) => awaited(lookup({ db, tx: db })),
  }
  return {
    ...ARRIVALS(reader),
    ...FEEDS(reader),
    ...LOG(reader),
    ...RECORDS(reader),
    ...EXCEPTIONS(reader),
    ...QUERIES(reader),
    accounts: (now) => db.read(async (tx) => await accountOverviews({ db, tx }, now)),
    endpoints: () => endpointOverviews(db),
  }
}
