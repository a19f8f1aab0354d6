import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { batch, sampleEvent, sampleHold, sampleState, T, write } from '../store/samples.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Desk, TOKEN, VIEWER } from './desk.ts'

/** The tokens of a desk that two customers share. */
export const TOKENS = {
  looks: 'looks-token-0123456789',
  operates: 'operates-token-0123456789',
  erp_only: 'erp-only-token-0123456789',
} as const

export type NarrowerName = keyof typeof TOKENS

/** The account that narrower tokens must not see is named as a key that every object has. */
export const HIDDEN = 'constructor'
/** What everything of the hidden account has in its ids and texts. */
export const MARK = 'zz-hidden'

export const HTTP = `token: ${TOKEN}, viewer_token: ${VIEWER}, tokens: {
    looks: { token: ${TOKENS.looks}, accounts: [acme] },
    operates: { token: ${TOKENS.operates}, accounts: [acme], role: operator },
    erp_only: { token: ${TOKENS.erp_only}, subscription: erp } }`

function configuration(receiver: string, http: string): string {
  const channel = `url: '${receiver}/', secret: ${SECRET}, events: ['*']`
  return `accounts:
  acme: { base_url: 'http://127.0.0.1:9', api_key: acme-key-0123456789, watch: {} }
  ${HIDDEN}: { base_url: 'http://127.0.0.1:9', api_key: acme-key-0123456789, watch: {} }
subscriptions:
  erp: { ${channel}, payload: thin, accounts: [acme], enabled: false }
  other: { ${channel}, accounts: [acme], enabled: false }
  all: { ${channel}, enabled: false }
  mixed: { ${channel}, accounts: [acme, ${HIDDEN}], enabled: false }
  zz-theirs: { ${channel}, accounts: [${HIDDEN}], enabled: false }
delivery: { allow_networks: [127.0.0.0/8], retry: [1m] }
runtime_subscriptions: { key: ${Buffer.alloc(32, 7).toString('base64')} }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', ${http} }
`
}

/** A desk of two customers. Without `hidden`, the other one has nothing in it yet. */
export async function sharedDesk({ hidden = true } = {}): Promise<Desk> {
  const desk = await Desk.configured(HTTP, { text: configuration })
  // What is hidden comes first, between and last.
  if (hidden) await fill(desk.store, HIDDEN, MARK)
  await fill(desk.store, 'acme', 'seen')
  if (hidden) await fill(desk.store, HIDDEN, `${MARK}-2`)
  return desk
}

/** Ids of what an account has. */
export function idsOf(mark: string) {
  return {
    shipment: `${mark}/1 ..`,
    document: `${mark}-doc`,
    risk: `evt_${mark}1`,
    added: `evt_${mark}2`,
    alone: `evt_${mark}3`,
  }
}

interface Arriving {
  readonly account: string
  readonly mark: string
  /** How many days after `T` the date that is told lies; the arrival comes two hours later. */
  readonly aheadDays?: number
  readonly isToCome?: boolean
}

/** An arrival of which a date was told before, or one that is still to come: its carrier has the mark in it. */
export async function arrive(
  store: Store,
  { account, aheadDays = 0, isToCome = false, mark }: Arriving,
): Promise<void> {
  const told = T + aheadDays * 86_400_000
  const estimated = { date: formatInstant(told), status: 'estimated' }
  const actual = { date: formatInstant(told + 7_200_000), status: 'actual' }
  const seen = {
    main_tracking_dates: { arrival_date: isToCome ? estimated : actual },
    booking_information: { carrier: `${mark.split(' ')[0]} lines` },
    route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' },
  }
  const id = `${mark}-arrived`
  const event = sampleEvent(`evt_${mark.replaceAll(' ', '')}arrived`, {
    account,
    type: 'shipment.eta_changed',
    subject: { resource: 'shipment', id, version: 1, previousEventId: null },
    extras: { date_change: { milestone: 'arrival', from: null, to: estimated } },
  })
  const state = sampleState(id, { seen, reported: seen, version: 1 })
  await store.commit({ ...batch({ events: [event], records: [write(state)] }), account })
  await store.commit({ ...batch(), account, changes: [{ kind: 'arrivals', shipments: [state], at: T }] })
}

interface Filled {
  readonly account: string
  readonly mark: string
  /** The subscriptions that have rows of the first events. */
  readonly hears: readonly string[]
  /** The subscription that has the row of the last event. */
  readonly alone: string
}

async function fill(store: Store, account: string, mark: string): Promise<void> {
  const hears = account === 'acme' ? ['erp', 'other', 'all', 'mixed'] : ['zz-theirs', 'all', 'mixed']
  await fillAccount(store, { account, mark, hears, alone: account === 'acme' ? 'other' : 'zz-theirs' })
}

/** One account's records, dates, exceptions, holds, quarantine, events and their rows. */
export async function fillAccount(store: Store, { account, alone, hears, mark }: Filled): Promise<void> {
  const ids = idsOf(mark)
  const about = (resource: 'shipment' | 'document', id: string, version: number) => ({
    account,
    subject: { resource, id, version, previousEventId: null },
    object: { name: `${mark} goods`, platform_shipment_id: ids.shipment, status: 'booked' },
  })
  const [first, now] = [formatInstant(T), formatInstant(T + 86_400_000)]
  const change = { milestone: 'delivery', from: { date: first, status: null }, to: { date: now, status: null } }
  const date_change: JsonObject = { ...change, first: { date: first, seen_at: first }, revision: 1 }
  const events = [
    sampleEvent(ids.risk, {
      ...about('shipment', ids.shipment, 1),
      type: 'shipment.delivery_at_risk',
      cause: 'calendar',
      changes: null,
      before: null,
      extras: { slack_days: -1 },
    }),
    sampleEvent(ids.added, {
      ...about('document', ids.document, 1),
      type: 'document.added',
      before: null,
      changes: null,
      extras: {},
    }),
    sampleEvent(ids.alone, {
      ...about('shipment', ids.shipment, 2),
      type: 'shipment.delivery_date_changed',
      extras: { date_change },
    }),
  ]
  const deliveries = [ids.risk, ids.added].flatMap((eventId) =>
    hears.map((subscription) => ({ eventId, subscription })),
  )
  // The last event rang for one subscription only, which is none that a narrower token is for.
  deliveries.push({ eventId: ids.alone, subscription: alone })
  const record = { platform_shipment_id: ids.shipment, name: `${mark} goods`, status: 'booked' }
  const records = [
    write(sampleState(ids.shipment, { seen: record, reported: record, version: 2, lastEventId: ids.alone })),
  ]
  await store.commit({ ...batch({ events, deliveries, records }), account })
  const remember = [{ id: `${mark}-bad`, reason: `${mark} cannot be read` }]
  await store.commit({ ...batch({ quarantine: { resource: 'invoice', via: 'list', remember, forget: [] } }), account })
  await store.startPass(account, 'shipment', T)
  await store.commit({
    ...batch({ hold: { resource: 'shipment', hold: sampleHold({ sample: [ids.shipment] }), expectedVerdict: null } }),
    account,
  })
}
