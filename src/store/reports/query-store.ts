import type { Attempt } from '../../model/delivery.ts'
import { heldLists } from '../lists/hold-rows.ts'
import type { QueryStore } from '../ports/query-port.ts'
import type { Dialect } from './dialect.ts'
import { EventStories } from './event-stories.ts'
import type { Reader } from './lookup.ts'

/** What each store asks by statements of its own. */
type OwnQueries = 'deliveries' | 'accounts' | 'endpoints' | 'deferredRows'

/** The statements of a dialect, prepared once, for any store of it. */
export function queries<Source>(dialect: Dialect<Source>): (read: Reader<Source>) => Omit<QueryStore, OwnQueries> {
  const [stories, held] = [new EventStories(dialect), heldLists(dialect)]
  const attempts = dialect.all<Attempt>(`
    SELECT at, duration_ms AS "durationMs", status, error, answer FROM attempts
    WHERE delivery = (SELECT ref FROM deliveries WHERE id = :deliveryId) ORDER BY ref`)
  return (read) => ({
    event: (id) => read.whole((source) => stories.event(source, id)),
    story: (id) => read.whole((source) => stories.story(source, id)),
    attempts: (deliveryId) => read.single((source) => attempts(source, { deliveryId })),
    changesSeen: (account, query) => read.whole((source) => stories.changesSeen(source, account, query)),
    holds: () => read.single(held),
  })
}
