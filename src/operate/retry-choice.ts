import { droppedWords } from '../report/dropped-words.ts'
import type { WouldSend } from '../report/delivery.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'
import type { Store } from '../store/ports/store.ts'
import { draftsOf, notDeliveredSince } from './backfill.ts'
import { ShipbellError } from '../errors.ts'
import type { Delivery, DeliveryState } from '../model/delivery.ts'
import { collectItems } from '../model/page.ts'
import type { Subscription } from '../model/subscription.ts'

const NOT_DELIVERED = ['pending', 'exhausted', 'held', 'discarded'] as const satisfies readonly DeliveryState[]

/** What a retry would send, oldest event first. */
export interface RetryRows {
  readonly rows: readonly WouldSend[]
  /** How many more rows the retry cannot send, because their payloads have expired. */
  readonly expired: number
}

/** Rows by their ids or their events', delivered ones too. Throws `not_found` where one names no row. */
export async function rowsNamed(
  store: Store,
  ids: readonly string[],
): Promise<RetryRows & { readonly rows: readonly Delivery[] }> {
  const found = (await Promise.all(ids.map(async (id) => await rowsOf(store, id)))).flat()
  return sendable([...new Map(found.map((row) => [row.id, row])).values()])
}

async function rowsOf(store: Store, id: string): Promise<readonly Delivery[]> {
  const row = (await store.deliveries([id]))[0] ?? null
  if (row !== null) return [row]
  const ofEvent = { eventId: id, oldestFirst: true }
  const rows = await collectItems(async (page) => await store.deliveryPage({ ...ofEvent, ...page }))
  if (rows.length > 0) return rows
  const why =
    (await store.event(id)) === null
      ? `there is no delivery or event of that ID${await droppedWords(store)}`
      : 'no subscription matched that event'
  throw new ShipbellError(
    'not_found',
    `Cannot retry ${JSON.stringify(id)}: ${why}; \`shipbell deliveries list\` shows the rows.`,
  )
}

/** Rows of a subscription that were not delivered; tests are left out. */
export async function rowsUndelivered(
  store: Store,
  subscription: string,
  since: number,
): Promise<RetryRows & { readonly rows: readonly Delivery[] }> {
  const filter = { subscription, states: NOT_DELIVERED, since, tests: false, oldestFirst: true }
  return sendable(await collectItems(async (page) => await store.deliveryPage({ ...filter, ...page })))
}

/** The rows of a retry, with those to be made for events that the subscription matches and that have none. */
export async function rowsMissing(store: Store, subscription: Subscription, since: number): Promise<RetryRows> {
  const rows: WouldSend[] = []
  let expired = 0
  for await (const stretch of notDeliveredSince(store, subscription, since)) {
    expired += stretch.expired
    const ids = stretch.events.flatMap(({ id }) => stretch.rows.get(id)?.id ?? [])
    const known = await store.deliveries(ids)
    const byEvent = new Map(known.map((row) => [row.eventId, row]))
    for (const { id, type, account } of stretch.events) {
      rows.push(byEvent.get(id) ?? unmade({ eventId: id, type, account, subscription: subscription.name }))
    }
  }
  return { rows, expired }
}

/** Makes and retries everything that `rowsMissing` names, in bounded transactions with pauses, in event order. */
export async function makeMissing(
  store: Store,
  subscription: Subscription,
  how: { readonly since: number; readonly at: number; readonly pause: () => Promise<void> },
): Promise<{ readonly ids: readonly string[]; readonly expired: number }> {
  const ids: string[] = []
  let expired = 0
  for await (const stretch of notDeliveredSince(store, subscription, how.since)) {
    expired += stretch.expired
    if (ids.length > 0) await how.pause()
    const deliveries = draftsOf(stretch.events, subscription)
    ids.push(...(await store.backfill({ deliveries, dates: stretch.dates, at: how.at })))
  }
  return { ids, expired }
}

/** Few enough in one transaction that a daemon hardly waits for the store. */
const AT_ONCE = 500

/** Makes rows pending, in the order given (`AdminStore.retry`), in bounded transactions with pauses. Resolves to how many are pending now. */
export async function retryRows(
  store: Pick<AdminStore, 'retry'>,
  ids: readonly string[],
  how: { readonly at: number; readonly delivered: boolean; readonly pause: (done: number) => Promise<void> },
): Promise<number> {
  let pending = 0
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from > 0) await how.pause(from)
    pending += await store.retry(ids.slice(from, from + AT_ONCE), how)
  }
  return pending
}

function sendable(found: readonly Delivery[]): RetryRows & { readonly rows: readonly Delivery[] } {
  const rows = found.filter(({ payloadExpiredAt }) => payloadExpiredAt === null)
  return { rows, expired: found.length - rows.length }
}

function unmade(pair: Pick<Delivery, 'eventId' | 'type' | 'account' | 'subscription'>): WouldSend {
  const untried = {
    attempts: 0,
    waitsFor: null,
    nextAttemptAt: null,
    lastStatus: null,
    lastError: null,
    position: null,
    payloadExpiredAt: null,
  }
  return { ...pair, ...untried, id: null, state: null }
}
