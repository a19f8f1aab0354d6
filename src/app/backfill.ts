import type { DeliveryDraft } from '../model/delivery.ts'
import type { LoggedEvent } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import { wantedBy } from '../route/route.ts'
import type { LogStore } from '../store/log-port.ts'

const PAGE = 500

/** A stretch of the log, seen by one subscription. */
export interface LogStretch {
  /** In event order. */
  readonly events: readonly LoggedEvent[]
  /** Which of them have a row of it, by event id. */
  readonly rows: ReadonlyMap<string, string>
  /** How many more it would have heard and cannot be sent, because their payloads have expired. */
  readonly expired: number
}

/** What a subscription would have heard since an instant, by today's configuration; tests are left out. */
export async function* heardSince(
  store: LogStore,
  subscription: Subscription,
  since: number,
): AsyncGenerator<readonly LoggedEvent[]> {
  const heard = wantedBy(subscription)
  for await (const { events } of pages(store, { since })) {
    yield heard(events).filter(({ cause }) => cause !== 'test')
  }
}

/** Of these, what a subscription has not got and can be sent: events that it hears and rows that were not delivered. */
export async function* notDeliveredSince(
  store: LogStore,
  subscription: Subscription,
  since: number,
): AsyncGenerator<LogStretch> {
  const heard = wantedBy(subscription)
  for await (const { events, rows } of pages(store, { since, undeliveredTo: subscription.name })) {
    const hears = new Set(heard(events, new Set(rows.keys())))
    const wanted = events.filter((event) => rows.has(event.id) || hears.has(event))
    const sendable = wanted.filter(({ expiredAt }) => expiredAt === null)
    yield { events: sendable, rows, expired: wanted.length - sendable.length }
  }
}

/** The pairs to see to. */
export function draftsOf(events: readonly LoggedEvent[], { name }: Subscription): readonly DeliveryDraft[] {
  return events.map(({ id }) => ({ eventId: id, subscription: name }))
}

async function* pages(store: LogStore, query: { readonly since: number; readonly undeliveredTo?: string }) {
  let after: number | null = null
  do {
    const page: Awaited<ReturnType<LogStore['log']>> = await store.log({ ...query, after, limit: PAGE })
    yield page
    after = page.end
  } while (after !== null)
}
