import { formatInstant } from '../../../src/model/instant.ts'
import type { DeskSize } from './desk-size.ts'

export interface Question {
  readonly name: string
  readonly path: string
  /** In milliseconds, of the 95th percentile. */
  readonly bar: number
}

const BAR_MS = 50
const DAY_MS = 86_400_000

/** What the questions need to name. */
export interface Known {
  readonly size: DeskSize
  readonly now: number
  /** A shipment with a long history, its invoice, an event of it and a row of that. */
  readonly account: string
  readonly shipment: string
  readonly event: string
  readonly sequence: number
  readonly delivery: string
  /** Halfway through the log. */
  readonly halfway: { readonly at: number; readonly event: number; readonly delivery: number; readonly record: number }
}

/** Every GET of the API and of the pages, lists with each of their filters. */
export function questionsAbout(known: Known): readonly Question[] {
  return [
    ...named(pages(known)),
    ...named(both(known).map(([name, path]) => [`page: ${name}`, path])),
    ...named(lists(known).map(([name, path]) => [`page: ${name}`, path])),
    ...named([...both(known), ...apiAlone(known)].map(([name, path]) => [`API: ${name}`, `/api/v1${path}`])),
    ...named([
      ['metrics', '/metrics'],
      ['healthz', '/healthz'],
      ['OpenAPI document', '/api/openapi.json'],
    ]),
  ]
}

type Named = readonly [name: string, path: string]

function named(all: readonly Named[]): readonly Question[] {
  return all.map(([name, path]) => ({ name, path, bar: BAR_MS }))
}

function pages({ account, event }: Known): readonly Named[] {
  return [
    ['page: today', '/'],
    ['page: system', '/system'],
    ['page: slips, 30 days', '/slips?days=30'],
    ['page: slips of a lane', '/slips?days=30&lane=CNSHA%20%E2%86%92%20NLRTM'],
    ['page: reliability', '/reliability'],
    ['page: carriers of a lane', '/reliability?by=carrier&lane=CNSHA-NLRTM'],
    ['page: deliveries by cause', `/deliveries?cause=The+endpoint+answered+503`],
    ['page: retry, the question', '/deliveries/retry?subscription=failing'],
    ['page: subscription, a message', `/subscriptions/erp?event=${event}`],
    ['page: events of an account and type', `/events?account=${account}&type=shipment.eta_changed`],
  ]
}

/** The same queries of pages and of the API. */
function both(known: Known): readonly Named[] {
  const { account, delivery, event, halfway, now, shipment } = known
  const since = formatInstant(now - 14 * 86_400_000)
  const until = formatInstant(now - 7 * 86_400_000)
  const events = cursor('events', halfway.at, halfway.event)
  const deliveries = cursor('deliveries', halfway.event, halfway.delivery)
  return [
    ['shipments', '/records/shipment'],
    ['shipments, deep', `/records/shipment?cursor=${cursor('shipment -last_event', 0, halfway.at, halfway.record)}`],
    ['shipments of an account', '/records/shipment?account=west'],
    ['shipments of a status', '/records/shipment?status=finished'],
    ['shipments of a status that none has', '/records/shipment?status=none'],
    ['shipments found by id', `/records/shipment?q=${shipment}`],
    ['shipments found by what all have', '/records/shipment?q=shp'],
    ['shipments found by what none has', '/records/shipment?q=zzz'],
    ['invoices', '/records/invoice'],
    ['invoices found by shipment', `/records/invoice?q=${shipment}`],
    ['tracking', '/records/tracking'],
    ['documents, none', '/records/document'],
    ['a shipment', `/records/shipment/${account}/${shipment}`],
    ['an invoice', `/records/invoice/${account}/INV-${shipment}`],
    ['a tracking', `/records/tracking/${account}/${shipment}`],
    ['slips', '/slips'],
    ['slips of an account', '/slips?account=large'],
    ['reliability', '/reliability'],
    ['reliability by lane of an account', '/reliability?by=lane&account=large'],
    ['events', '/events'],
    ['events, deep', `/events?cursor=${events}`],
    ['events of an account', `/events?account=${account}&cursor=${events}`],
    ['events of a type', `/events?type=shipment.eta_changed&cursor=${events}`],
    ['events of all types of shipments', `/events?type=shipment.*&cursor=${events}`],
    ['events of a resource', `/events?resource=invoice&cursor=${events}`],
    ['events of a subject', `/events?subject=${shipment}`],
    ['events since and until', `/events?since=${since}&until=${until}`],
    ['events of a type that none has', '/events?type=document.created'],
    ['an event', `/events/${event}`],
    ['deliveries', '/deliveries'],
    ['deliveries, deep', `/deliveries?cursor=${deliveries}`],
    ['deliveries of a subscription', `/deliveries?subscription=erp&cursor=${deliveries}`],
    ['deliveries of a state', `/deliveries?state=exhausted`],
    ['deliveries of a state and subscription', '/deliveries?state=pending&subscription=failing'],
    ['deliveries of an account', `/deliveries?account=west&cursor=${deliveries}`],
    ['deliveries of an account in a state that is rare', '/deliveries?account=west&state=pending'],
    ['deliveries of an event', `/deliveries?event=${event}`],
    ['deliveries since', `/deliveries?since=${since}`],
    ['a delivery', `/deliveries/${delivery}`],
    ['subscriptions', '/subscriptions'],
    ['a subscription', '/subscriptions/erp'],
    ['a subscription that fails', '/subscriptions/failing'],
    ['accounts', '/accounts'],
    ['an account', '/accounts/large'],
    ['plan', '/plan'],
  ]
}

const SORTS = {
  shipment: ['eta', 'drift', 'name', 'last_event'],
  purchase_order: ['eta', 'drift', 'name', 'last_event'],
  invoice: ['name', 'last_event'],
} as const

/** Lists in each order and narrowed by each filter, and what a search finds. */
function lists({ now, shipment }: Known): readonly Named[] {
  const [from, to] = [dayOf(now - 7 * DAY_MS), dayOf(now + 7 * DAY_MS)]
  const sorted = Object.entries(SORTS).flatMap(([resource, sorts]) =>
    sorts.flatMap((by) =>
      [by, `-${by}`].map((sort) => [`${resource}s by ${sort}`, `/records/${resource}?sort=${sort}`] as const),
    ),
  )
  const filters = [
    'open=true',
    'open=false',
    'status=delivered',
    'lane=CNSHA-NLRTM',
    'lane=CNSHA-XXXXX',
    'carrier=MAERSK',
    'carrier=NONE',
    'mode=ocean',
    'mode=air',
    `arrives_after=${from}&arrives_before=${to}`,
    'account=west&mode=ocean',
  ]
  const narrowed = filters.flatMap((filter) =>
    ['', '&sort=eta', '&sort=-drift', '&sort=name'].map(
      (sort) => [`shipments, ${filter}${sort}`, `/records/shipment?${filter}${sort}`] as const,
    ),
  )
  const due = ['overdue', '7d', '30d', 'any'].flatMap((choice) =>
    ['', '&sort=-name'].map((sort) => [`invoices, ${choice}${sort}`, `/records/invoice?due=${choice}${sort}`] as const),
  )
  const texts = ['shanghai rotterdam', 'shp', 'ocean', 'maersk', shipment, `inv ${shipment}`, 'zzz', 'in'].map(
    (text) => [`search, ${text}`, `/search?q=${encodeURIComponent(text)}`] as const,
  )
  return [...sorted, ...narrowed, ...due, ...texts, ['today, a week', '/?since=7d'], ['today, an hour', '/?since=1h']]
}

function dayOf(at: number): string {
  return formatInstant(at).slice(0, 10)
}

function apiAlone({ halfway }: Known): readonly Named[] {
  return [
    ['status', '/status'],
    ['holds', '/holds'],
    ['200 events', `/events?limit=200&cursor=${cursor('events', halfway.at, halfway.event)}`],
    ['200 deliveries', '/deliveries?limit=200'],
    ['200 shipments', '/records/shipment?limit=200'],
    ['200 slips', '/slips?limit=200&since=30d'],
  ]
}

function cursor(...place: readonly [list: string, ...numbers: number[]]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
