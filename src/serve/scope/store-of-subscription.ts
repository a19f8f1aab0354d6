import type { Delivery } from '../../model/delivery.ts'
import { isAddressed, type LoggedEvent } from '../../model/event.ts'
import type { Page } from '../../model/page.ts'
import type { EventQuery } from '../../store/ports/log-query-port.ts'
import type { DeskStore } from '../admin-context.ts'
import { notServed, type Sight } from './sight.ts'

/** What a token of one subscription sees: that endpoint, its rows, and the events of these. */
export interface SubscriptionStore extends DeskStore {
  /** The number of the subscription's row of an event; null: it has none. */
  positionOf(event: LoggedEvent): Promise<number | null>
}

export function storeOfSubscription(full: DeskStore, sight: Sight, subscription: string): SubscriptionStore {
  const positions = new WeakMap<LoggedEvent, number | null>()
  const rowsSeen: DeskStore['deliveries'] = async (ids) =>
    (await full.deliveries(ids)).filter((row) => sight.delivery(row))
  const pageSeen: DeskStore['deliveryPage'] = async (query) =>
    await full.deliveryPage({ ...query, subscriptions: [subscription] })
  const wasGiven = async (eventId: string): Promise<boolean> => (await pageSeen({ eventId, limit: 1 })).items.length > 0
  const wereGiven = async (events: readonly LoggedEvent[]): Promise<readonly LoggedEvent[]> => {
    const given = await Promise.all(events.map(async ({ id }) => await wasGiven(id)))
    return events.filter((_, nth) => given[nth] === true)
  }
  return {
    event: async (id) => ((await wasGiven(id)) ? await full.event(id) : null),
    story: async (id) => {
      const story = (await wasGiven(id)) ? await full.story(id) : null
      // What led to the event is no part of what the subscription was given.
      return (
        story && { event: story.event, provenance: null, previous: null, next: null, corrects: null, correctedBy: [] }
      )
    },
    deliveries: rowsSeen,
    attempts: async (id) => ((await rowsSeen([id])).length === 0 ? [] : await full.attempts(id)),
    endpoints: async () => (await full.endpoints()).filter((each) => each.subscription === subscription),
    deliveryPage: async (query) => await sight.page('deliveries', query, pageSeen),
    eventPage: async (query) =>
      await sight.page('events', query, async (asked) => {
        if (asked.subjectId === undefined && asked.ids === undefined)
          return await eventsGiven(asked, { full, pageSeen, positions })
        // A subject has few events, as there are few ids, and the ledger has many rows: it is not looked through for them.
        const page = await full.eventPage(asked)
        return { ...page, items: await wereGiven(page.items) }
      }),
    positionOf: async (event) => {
      const known = positions.get(event)
      if (known !== undefined) return known
      return (await pageSeen({ eventId: event.id, limit: 1 })).items[0]?.position ?? null
    },
    logEnds: async () => ({ droppedTo: (await full.logEnds()).droppedTo, lastPlace: 0 }),
    feedPart: async (query) => (query.subscription === subscription ? await full.feedPart(query) : null),
    snapshotRuns: async (query) => (await full.snapshotRuns(query)).flatMap((run) => sight.run(run) ?? []),
    accounts: notServed,
    deferredRows: notServed,
    holds: notServed,
    changesSeen: notServed,
    records: notServed,
    retryable: notServed,
    countRetryable: notServed,
    eventsNamed: notServed,
    eventHours: notServed,
    failures: notServed,
    quarantine: notServed,
    exceptionPage: notServed,
    recordPage: notServed,
    recordDetail: notServed,
    slips: notServed,
    reliability: notServed,
    pastArrivals: notServed,
  }
}

interface Given {
  readonly full: DeskStore
  readonly pageSeen: DeskStore['deliveryPage']
  /** Takes the numbers of the events that are found. */
  readonly positions: WeakMap<LoggedEvent, number | null>
}

/** Events by the rows that the subscription has of them: where few match, a page shows fewer and says where to go on. */
async function eventsGiven(query: EventQuery, { full, pageSeen, positions }: Given): Promise<Page<LoggedEvent>> {
  const { account, cursor, limit, oldestFirst, since } = query
  const rows = await pageSeen({
    limit,
    ...(cursor !== undefined && { cursor }),
    ...(account !== undefined && { account }),
    ...(since !== undefined && { since }),
    ...(oldestFirst !== undefined && { oldestFirst }),
  })
  const together = await eventsTogether(rows.items, full)
  const found = await Promise.all(
    rows.items.map(async ({ eventId, position }) => {
      const event = together.get(eventId) ?? (await full.event(eventId))
      if (event !== null) positions.set(event, position)
      return event
    }),
  )
  return { items: found.flatMap((each) => (each !== null && isAsked(each, query) ? [each] : [])), next: rows.next }
}

/** How much of a feed is looked at for one row. */
const ROWS_FOR_ONE = 2

/** Events of rows of one subscription, as far as its feed has them beside each other: one by one they cost a hundred times as much. */
async function eventsTogether(
  rows: readonly Delivery[],
  full: Pick<DeskStore, 'feedPart'>,
): Promise<ReadonlyMap<string, LoggedEvent>> {
  const numbers = rows.flatMap(({ position }) => position ?? [])
  const [first] = rows
  if (first === undefined || numbers.length === 0) return new Map()
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)]
  const limit = Math.min(highest - lowest + 1, rows.length * ROWS_FOR_ONE)
  const part = await full.feedPart({ subscription: first.subscription, after: lowest - 1, limit })
  return new Map(part?.items.map(({ event }) => [event.id, event]))
}

function isAsked({ cause, subject, timestamp, type }: LoggedEvent, query: EventQuery): boolean {
  const { resource, types, until } = query
  return (
    // What is made for one subscription alone stands in no list: it has that in the ledger.
    !isAddressed({ cause }) &&
    (types === undefined || types.includes(type)) &&
    (resource === undefined || subject.resource === resource) &&
    (until === undefined || timestamp < until)
  )
}
