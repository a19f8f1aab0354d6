import { heldLists } from '../lists/hold-rows.ts'
import type { QueryStore } from '../ports/query-port.ts'
import { type Dialect, first } from './dialect.ts'
import { ledgerRows } from '../deliveries/ledger-rows.ts'
import { EventStories } from './event-stories.ts'
import type { Reader } from './lookup.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

const ATTEMPT = TABLES.attempts.without('ref', 'delivery')

/** What each store asks by statements of its own. */
type OwnQueries = 'accounts' | 'endpoints'

/** The statements of a dialect, prepared once, for any store of it. */
export function queries<Source>(dialect: Dialect<Source>): (read: Reader<Source>) => Omit<QueryStore, OwnQueries> {
  const [stories, held, ledger] = [new EventStories(dialect), heldLists(dialect), ledgerRows(dialect)]
  const attempts = dialect.all<RowOf<typeof ATTEMPT>>(`
    SELECT ${ATTEMPT.selected()} FROM attempts
    WHERE delivery = (SELECT ref FROM deliveries WHERE id = :deliveryId) ORDER BY ref`)
  const deferred = dialect.all<{ amount: number }>(`
    SELECT coalesce(sum(amount), 0) AS amount FROM deferrals
    WHERE (CAST(:only AS text) IS NULL OR subscription = :only) AND wake_at > :now + (SELECT ahead FROM steady_time)`)
  return (read) => ({
    deliveries: (ids) => read.single((source) => ledger.byId(source, ids)),
    deferredRows: (now, only) =>
      read.single(function* (source) {
        return (yield* first(deferred(source, { now, only: only ?? null })))?.amount ?? 0
      }),
    event: (id) => read.whole((source) => stories.event(source, id)),
    story: (id) => read.whole((source) => stories.story(source, id)),
    attempts: (deliveryId) => read.single((source) => attempts(source, { deliveryId })),
    changesSeen: (account, query) => read.whole((source) => stories.changesSeen(source, account, query)),
    holds: () => read.single(held),
  })
}
