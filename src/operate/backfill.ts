import type { DeliveryDraft } from '../model/delivery.ts'
import { NO_ACCOUNT } from '../model/account.ts'
import type { LoggedEvent } from '../model/event.ts'
import type { AccountDates } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { LogWalk } from '../route/log-walk.ts'
import type { LoggedRow, LogPage, LogQuery, LogStore } from '../store/ports/log-port.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'
import type { Page } from '../model/page.ts'

const PAGE = 500
/** Few enough that whoever asks for something else hardly waits. */
const TRIED_AT_ONCE = 100

/** A stretch of the log, seen by one subscription. */
export interface LogStretch {
  /** The events, in their order in the log. */
  readonly events: readonly LoggedEvent[]
  /** The rows that events have of the subscription, by event id. */
  readonly rows: ReadonlyMap<string, LoggedRow>
  /** How many more match and cannot be sent, because their payloads have expired. */
  readonly expired: number
  /** The dates that it will have been sent by then. */
  readonly dates: readonly AccountDates[]
}

/** What a subscription would have been sent since an instant, by today's configuration; tests are left out. */
export async function* matchedSince(
  store: Pick<LogStore, 'logPage'>,
  subscription: Subscription,
  since: number,
): AsyncGenerator<readonly LoggedEvent[]> {
  const walk = new LogWalk(subscription)
  for await (const { events } of pages(store, { since: startOf(subscription, since) })) {
    const matched = walk.wanted(events)
    yield [...matched].filter(({ cause, timestamp }) => cause !== 'test' && timestamp >= since)
  }
}

/** What is counted, and for how long. */
export interface Counting {
  readonly since: number
  readonly accounts?: readonly string[]
  /** Asked after each page; false: what was not reached is left out. */
  readonly goesOn: () => Promise<boolean>
}

export interface CountedEvents {
  readonly matched: number
  readonly of: number
  /** Whether all were reached; else these are the newest. */
  readonly isWhole: boolean
}

/** How many of the events since would have been sent: page by page, the newest first, for as long as it `goesOn`. */
export async function countMatched(
  store: Pick<LogQueryStore, 'eventPage'>,
  subscription: Subscription,
  how: Counting,
): Promise<CountedEvents> {
  // Where dates are compared with what was sent before, events are judged in their order, once it is known how many are.
  const isInOrder = subscription.minShiftMs !== null
  const seen: LoggedEvent[] = []
  let [counts, cursor, isWhole]: [Omit<CountedEvents, 'isWhole'>, string | null, boolean] = [NOTHING, null, true]
  do {
    const asked = {
      ...(isInOrder ? {} : { since: how.since }),
      limit: TRIED_AT_ONCE,
      ...(cursor !== null && { cursor }),
    }
    const { items, next }: Page<LoggedEvent> = await store.eventPage(asked)
    if (isInOrder) seen.push(...items)
    else counts = sumOf(counts, countedOf(items.toReversed(), subscription, how))
    cursor = next
    isWhole = cursor === null
  } while (cursor !== null && seen.length < MOST_IN_ORDER && (await how.goesOn()))
  const found = isInOrder ? countedOf(seen.toReversed(), subscription, how) : counts
  return { ...found, isWhole: isWhole || isOlder(seen.at(-1), how) }
}

const NOTHING = { matched: 0, of: 0 }
/** Events that are held at once to be judged in their order. */
const MOST_IN_ORDER = 20_000

/** How many of these, which come in their order, count, and how many of those would have been sent. */
function countedOf(
  events: readonly LoggedEvent[],
  subscription: Subscription,
  { accounts, since }: Counting,
): Omit<CountedEvents, 'isWhole'> {
  const wanted = new LogWalk(subscription).wanted(events)
  const counts = events.filter(
    ({ account, cause, timestamp }) =>
      cause !== 'test' && timestamp >= since && accounts?.includes(account ?? NO_ACCOUNT) !== false,
  )
  return { matched: counts.filter((event) => wanted.has(event)).length, of: counts.length }
}

function sumOf(
  one: Omit<CountedEvents, 'isWhole'>,
  other: Omit<CountedEvents, 'isWhole'>,
): Omit<CountedEvents, 'isWhole'> {
  return { matched: one.matched + other.matched, of: one.of + other.of }
}

/** Whether an event rang before what is counted: all that is counted was reached. */
function isOlder(event: LoggedEvent | undefined, { since }: Counting): boolean {
  return event !== undefined && event.timestamp < since
}

/**
 * Of these, what a subscription lacks and can be sent: matching events without a row, and rows that were not delivered. For
 * `min_shift` each event with a row counts as sent, and so does each that is yielded.
 */
export async function* notDeliveredSince(
  store: LogStore,
  subscription: Subscription,
  since: number,
): AsyncGenerator<LogStretch> {
  const { name, minShiftMs } = subscription
  const walk = new LogWalk(subscription)
  const query = { since: startOf(subscription, since), rowsOf: name, undelivered: minShiftMs === null }
  for await (const { events, rows } of pages(store, query)) {
    const isMade = ({ timestamp, expiredAt }: LoggedEvent): boolean => timestamp >= since && expiredAt === null
    const matched = walk.wanted(events, (event, wanted) => rows.has(event.id) || (wanted && isMade(event)))
    const missing = events.filter((event) => {
      const row = rows.get(event.id)
      return event.timestamp >= since && (row === undefined ? matched.has(event) : !row.delivered)
    })
    const sendable = missing.filter(({ expiredAt }) => expiredAt === null)
    yield { events: sendable, rows, expired: missing.length - sendable.length, dates: walk.takeDates() }
  }
}

/** The pairs to see to. */
export function draftsOf(events: readonly LoggedEvent[], { name }: Subscription): readonly DeliveryDraft[] {
  return events.map(({ id }) => ({ eventId: id, subscription: name }))
}

/** `min_shift` compares with what was sent at any time before; without it the past does not matter. */
function startOf({ minShiftMs }: Subscription, since: number): number {
  return minShiftMs === null ? since : 0
}

async function* pages(
  store: Pick<LogStore, 'logPage'>,
  query: Omit<LogQuery, 'after' | 'limit'> & { readonly limit?: number },
) {
  let after: number | null = null
  do {
    const page: LogPage = await store.logPage({ limit: PAGE, ...query, after })
    yield { ...page, events: page.events.map(({ event }) => event) }
    after = page.end
  } while (after !== null)
}
