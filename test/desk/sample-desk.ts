import { auditLines } from '../../src/report/audit.ts'
import type { ListAudit } from '../../src/model/list-audit.ts'
import type { KnownArrival } from '../../src/ledger/arrival-changes.ts'
import { NO_GAPS } from '../../src/model/list-gaps.ts'
import { pino } from 'pino'
import type { Clock } from '../../src/clock.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import type { Delivery } from '../../src/model/delivery.ts'
import type { LoggedEvent } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { KeptException } from '../../src/model/exception.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { ENDINGS, listingOf, NO_VALUE } from '../../src/model/record-listing.ts'
import { dateOfDay, outlineOf } from '../../src/model/record-outline.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { summariseShipment } from '../../src/model/shipment.ts'
import { needsOf } from '../../src/report/needs.ts'
import { readAges } from '../../src/report/read-age.ts'
import type { WorkerOverview } from '../../src/report/workers.ts'
import type { Status } from '../../src/report/status.ts'
import type { AdminContext } from '../../src/serve/admin-context.ts'
import { ChangeFeed } from '../../src/serve/stream/change-feed.ts'
import type { AccountOverview, EndpointOverview } from '../../src/store/ports/query-port.ts'
import type { DateValue, RecordDetail } from '../../src/store/ports/record-query-port.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { subscription } from '../support/subscription.ts'
import { InMemoryDeskStore } from './in-memory-desk-store.ts'

export const NOW = Date.UTC(2026, 10, 21, 8, 12)
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

const GOODS = [
  'Garden chairs',
  'Winter jackets',
  'Bicycle frames',
  'Ceramic tiles',
  'LED downlights with drivers to Ontario (4500010170)',
  'Running shoes',
]
const LANES = [
  ['CNSHA', 'NLRTM', 'Shanghai', 'Rotterdam'],
  ['VNSGN', 'FRLEH', 'Ho Chi Minh City', 'Le Havre'],
  ['INNSA', 'DEHAM', 'Nhava Sheva', 'Hamburg'],
] as const
const CARRIERS = ['MSC', 'CMA CGM', 'Hapag-Lloyd', 'Maersk']
const STATUSES = ['in_progress', 'booked', 'in_progress', 'finished', 'awaiting_booking', 'cancelled']

export interface SampleDesk {
  readonly store: InMemoryDeskStore
  readonly context: AdminContext
}

/** A desk with much on it: two accounts, a failing endpoint, held removals, dates that slid. */
export function sampleDesk(about: Partial<AdminContext> = {}): SampleDesk {
  const store = sampleStore()
  return { store, context: { ...contextOf(store, new FakeClock(NOW)), ...about } }
}

async function never(): Promise<never> {
  throw new Error('No page of this test does anything.')
}

function contextOf(store: InMemoryDeskStore, clock: Clock): AdminContext {
  return {
    clock,
    log: pino({ level: 'silent' }),
    version: '0.1.0',
    store,
    access: () => ({ token: null, viewerToken: null, tokens: [], publicUrl: null }),
    accounts: () => [account('acme'), account('globex')],
    configSchema: () => ({}),
    takesSubscriptions: () => false,
    callbackHosts: () => [],
    subscriptions: () => [subscription('erp'), subscription('ops')],
    readiness: async () => ({
      ready: true,
      store: { ok: true, problem: null },
      accounts: { acme: { ok: true, last_answer_at: null }, globex: { ok: true, last_answer_at: null } },
    }),
    budgetLeft: () => 42,
    document: never,
    reports: {
      freshness: async () => [],
      status: async () => await statusOf(store, clock.now()),
      accounts: () => store.accounts(),
      plan: async () => [],
      recentEvents: async () => ({ events: store.log.toReversed(), isCut: false }),
      dueInvoices: async () => null,
      sharing: () => [],
      matched: async () => ({ matched: 0, of: 0, isWhole: true }),
      channel: () => [],
      preview: async () => [],
    },
    sessions: { endSession: async () => undefined, endedSessions: async () => [] },
    pressed: never,
    demo: null,
    actionsOf: () => ({
      retry: never,
      countMatching: never,
      retryMatching: never,
      test: never,
      enable: never,
      disable: never,
      discard: never,
      judgeHold: never,
      takeFeed: never,
      countSnapshot: never,
      beginSnapshot: never,
      cancelSnapshot: never,
      acknowledge: never,
      subscribe: never,
      alter: never,
      rotateSecret: never,
      unsubscribe: never,
    }),
    reader: null,
    metrics: null,
    feed: new ChangeFeed(),
    signal: new AbortController().signal,
  }
}

async function statusOf(store: InMemoryDeskStore, now: number): Promise<Status> {
  const settings = [account('acme'), account('globex')]
  const [accounts, endpoints, holds] = [store.accountOverviews, store.endpointOverviews, store.held]
  const needs = needsOf({
    now,
    running: true,
    settings,
    accounts,
    endpoints,
    holds,
    quarantined: store.quarantined,
    workers: workers(now),
  })
  const ages = settings.flatMap((each) =>
    readAges(
      each,
      accounts.find((overview) => overview.account === each.name),
      now,
    ),
  )
  return {
    now,
    daemon: null,
    workers: workers(now),
    configuration: [],
    needs,
    accounts,
    fresh: [],
    ages,
    audits: auditLines(accounts, settings, now),
    endpoints,
    runs: [],
    waiting: 0,
  }
}

/** Of the second one the accounts do not all fit. */
function workers(now: number): readonly WorkerOverview[] {
  const shared = { host: 'here', version: '1.2.3', since: now - DAY, configDiffers: false }
  const many = Array.from({ length: 14 }, (_, nth) => `customer-${nth}`)
  return [
    { ...shared, id: '1f0e6a3c-a', pid: 71, accounts: ['acme', 'globex'] },
    { ...shared, id: '2f0e6a3c-b', pid: 72, accounts: many },
    { ...shared, id: '3f0e6a3c-c', pid: 73, accounts: [], configDiffers: true },
    { ...shared, id: '4f0e6a3c-d', pid: 74, accounts: [] },
  ]
}

function account(name: string): AccountSettings {
  return {
    ...BOUNDLESS_ACCOUNT,
    name,
    watch: {
      shipments: { everyMs: 2 * MINUTE, ignore: [], milestoneGraceMs: DAY },
      tracking: { everyMs: 15 * MINUTE, ignore: [], positions: false },
      invoices: { everyMs: 10 * MINUTE, ignore: [], dueSoonMs: [] },
      documents: { everyMs: 30 * MINUTE, ignore: [] },
    },
  }
}

/** Told 60 days ahead; up to eight days late. */
function arrived(nth: number): KnownArrival {
  const recordedAt = NOW - nth * DAY
  const date = recordedAt - ((nth * 7) % 9) * DAY
  const keys = { carrier: 'MSC', lane: 'CNSHA-NLRTM' }
  return { shipment: `OLD-${nth}`, ...keys, arrivedAt: recordedAt, recordedAt, told: [{ date, at: date - 60 * DAY }] }
}

function sampleStore(): InMemoryDeskStore {
  const store = new InMemoryDeskStore()
  for (let nth = 0; nth < 130; nth += 1) addShipment(store, nth)
  store.details.push(...related('SHP-1000'))
  store.accountOverviews = [
    overview('acme', [70_000, 21 * MINUTE, 3 * MINUTE]),
    overview('globex', [40_000, 9 * MINUTE, 26 * MINUTE]),
  ]
  store.endpointOverviews = [endpoint('erp', 0), endpoint('ops', 7)]
  store.held = [
    {
      account: 'globex',
      resource: 'invoice',
      reason: 'too_many',
      since: NOW - 3 * HOUR,
      known: 412,
      missing: 207,
      sample: ['INV-7001', 'INV-7002'],
      verdict: null,
      quietPasses: 0,
    },
  ]
  store.exceptions = sampleExceptions()
  store.arrived = Array.from({ length: 42 }, (_, nth) => arrived(nth))
  store.kept = CARRIERS.map((key, nth) => ({
    key,
    n: 31 - nth,
    nearFirst: 12 + 4 * nth,
    nearLast: 22 + nth,
    medianDriftMinutes: 2_900 - 1_100 * nth,
  }))
  store.quarantined = [{ account: 'acme', resource: 'document', id: 'DOC-9', reason: 'name: expected string' }]
  const kinds = [
    'tracking.event_added',
    'shipment.status_changed',
    'invoice.created',
    'document.added',
    'shipment.departed',
    'invoice.due_soon',
  ] as const
  for (let nth = 0; nth < 180; nth += 1) {
    const event = store.log[nth % 40]
    const kind = kinds[(nth * nth) % 6]
    if (event !== undefined && kind !== undefined) store.log.push(plainEvent(event, kind, nth))
  }
  store.log.sort((a, b) => a.timestamp - b.timestamp)
  store.log = store.log.map((event, nth) => ({ ...event, sequence: nth + 1_000 }))
  return store
}

function addShipment(store: InMemoryDeskStore, nth: number): void {
  const id = `SHP-${1_000 + nth}`
  const object = shipmentObject(id, nth)
  const arrival = driftOf(nth, 'arrival')
  const record: RecordDetail = {
    ...recordOf('shipment', id, object),
    account: nth % 4 === 3 ? 'globex' : 'acme',
    name: `${GOODS[nth % GOODS.length]} ${2_026 + nth}`,
    status: STATUSES[nth % STATUSES.length] ?? null,
    version: arrival.length,
    lastReadAt: NOW - 50_000 - nth * 300,
    lastEventAt: NOW - nth * 17 * MINUTE,
    dates: {
      pickup: driftOf(nth + 2, 'pickup').slice(0, 2),
      departure: driftOf(nth + 1, 'departure').slice(0, 3),
      arrival,
      delivery: driftOf(nth, 'delivery').slice(0, 4),
    },
  }
  store.details.push(record)
  arrival.slice(1).forEach((value, step) => {
    store.log.push(etaEvent(record, { value, before: arrival[step], step }))
    store.rows.push(
      delivery(`${id}-${step}`, 'erp', 'delivered'),
      delivery(`${id}-${step}`, 'ops', step === 0 ? 'pending' : 'exhausted'),
    )
  })
  const [first, last] = [arrival[0], arrival.at(-1)]
  const [from, to] = [Date.parse(first?.date ?? ''), Date.parse(last?.date ?? '')]
  const lane = LANES[nth % LANES.length] ?? LANES[0]
  store.slid.push({
    account: record.account,
    shipment: id,
    name: record.name,
    milestone: 'arrival',
    first: from,
    now: to,
    driftMinutes: (to - from) / MINUTE,
    revisions: arrival.length,
    movedAt: last?.seenAt ?? NOW,
    carrier: CARRIERS[nth % CARRIERS.length] ?? null,
    lane: `${lane[0]} → ${lane[1]}`,
  })
}

const STARTS = { pickup: -8, departure: -5, arrival: 21, delivery: 25 } as const

function driftOf(nth: number, milestone: keyof typeof STARTS): readonly DateValue[] {
  const base = Date.UTC(2026, 10, 21, 10) + (STARTS[milestone] + (nth % 9)) * DAY
  const shifts = [0, 1, 1.5, 4, 3].slice(0, 2 + (nth % 4))
  const sign = nth % 5 === 4 ? -1 : 1
  return shifts.map((days, step) => ({
    date: formatInstant(base + sign * days * (1 + (nth % 3)) * DAY).replace('.000', ''),
    status: step === 0 ? 'planned' : milestone === 'pickup' && step === 1 ? 'actual' : 'estimated',
    seenAt: NOW - (shifts.length - step) * 3.4 * DAY + (nth % 7) * 5 * HOUR,
    toldAt: step === 0 ? null : NOW - (shifts.length - step) * 3.4 * DAY + (nth % 7) * 5 * HOUR,
    eventId: step === 0 ? null : `evt_${1_000 + nth}x${step}`,
  }))
}

function shipmentObject(id: string, nth: number): JsonObject {
  const lane = LANES[nth % LANES.length] ?? LANES[0]
  return {
    platform_shipment_id: id,
    name: `${GOODS[nth % GOODS.length]} ${2_026 + nth}`,
    status: STATUSES[nth % STATUSES.length] ?? 'booked',
    incoterm: 'fob',
    freight_mode: 'ocean',
    route: { origin_port_unlocode: lane[0], destination_port_unlocode: lane[1] },
    desired_delivery_date: '2026-12-20',
    purchase_order_references: ['PO-118', 'PO-121'],
    booking_information: {
      carrier: CARRIERS[nth % CARRIERS.length] ?? '',
      master_bill: `MEDU${880_000 + nth}`,
      house_bill: `HB-${nth}`,
      ocean_booking: { vessel: 'Ever Given', voyage: '12E' },
    },
    cargo: {
      total_teus: 4,
      containers: [
        {
          container_number: 'MSCU1234567',
          container_type: 'forty_foot_highcube_standard',
          seal_number: 'S-81',
          purchase_order_references: ['PO-118'],
        },
        {
          container_number: 'MSCU7654321',
          container_type: 'forty_foot_standard',
          seal_number: 'S-82',
          purchase_order_references: ['PO-121'],
        },
      ],
    },
  }
}

function happening(description: string, date: string, status: string): JsonObject {
  return { description, container_number: 'MSCU1234567', date, status }
}

function related(id: string): readonly RecordDetail[] {
  const [from, to] = [LANES[0][2], LANES[0][3]]
  const step = (type: string, city: string, events: readonly JsonObject[]): JsonObject => ({
    type,
    port: { city, unlocode: city === from ? 'CNSHA' : 'NLRTM', country: '' },
    events,
  })
  return [
    recordOf('tracking', id, {
      platform_shipment_id: id,
      status: 'in_transit',
      tracking_steps: [
        step('pickup', from, [
          happening('Gate out empty', '2026-11-12T09:00:00+08:00', 'actual'),
          happening('Gate in full', '2026-11-13T17:20:00+08:00', 'actual'),
        ]),
        step('origin_port', from, [
          happening('Loaded on vessel', '2026-11-15T22:00:00+08:00', 'actual'),
          happening('Vessel departed', '2026-11-16T04:10:00+08:00', 'actual'),
        ]),
        step('destination_port', to, [happening('Vessel arrives', '2026-12-15T10:00:00+01:00', 'estimated')]),
        step('delivery', to, [happening('Delivered', '2026-12-19T10:00:00+01:00', 'planned')]),
      ],
    }),
    {
      ...recordOf('invoice', 'INV-7001', {
        reference: 'INV-7001',
        number: 'F-2026-118',
        platform_shipment_id: id,
        status: 'due',
        type: 'invoice',
        due_date: '2026-11-30',
        lines: [
          { category: 'freight', price: { amount: 4_180.5, currency: 'USD' } },
          { category: 'customs', price: { amount: 310, currency: 'EUR' } },
        ],
      }),
      name: 'F-2026-118',
      status: 'due',
    },
    {
      ...recordOf('document', 'DOC-1', {
        id: 'DOC-1',
        name: 'packing-list.pdf',
        type: 'packing_list',
        platform_shipment_id: id,
        uploaded_at: '2026-11-10',
        link: 'https://files.example/secret-link',
      }),
      name: 'packing-list.pdf',
    },
    {
      ...recordOf('purchase_order', 'PO-118', {
        po_number: 'PO-118',
        supplier_name: 'Ningbo Seating',
        purchase_order_lines: [
          { reference: '1', ordered_quantity: 400, assigned_order_lines: [{ platform_shipment_id: id }] },
        ],
      }),
      name: 'Ningbo Seating',
    },
  ]
}

export function recordOf(resource: RecordResource, id: string, object: JsonObject): RecordDetail {
  const { carrier, dueDay, kind, lane, totals } = outlineOf(resource, object)
  const { drift, ending, etaAt } = listingOf({ resource, seen: object, removedAt: null, memory: {} })
  return {
    account: 'acme',
    resource,
    id,
    name: null,
    status: null,
    removedAt: null,
    version: 0,
    lastReadAt: NOW - 4 * MINUTE,
    lastEventAt: null,
    dueOn: dueDay === null ? null : dateOfDay(dueDay),
    carrier,
    lane,
    kind,
    totals,
    isOpen: ending === ENDINGS.open,
    etaAt: etaAt === NO_VALUE ? null : etaAt,
    drift: drift === NO_VALUE ? null : drift,
    object,
    firstSeenAt: NOW - 20 * DAY,
    dates: {},
  }
}

/** What is not well, the heaviest and oldest first: one shipment twice, and one that somebody sees to. */
function sampleExceptions(): KeptException[] {
  const open = {
    account: 'acme',
    expectation: '',
    milestone: '',
    severity: 'critical',
    closedAt: null,
    closedBy: null,
  } as const
  const rest = { ...open, eventId: null, acknowledged: null }
  const shipment = { ...rest, resource: 'shipment', subjectId: 'SHP-1000' } as const
  const other = { ...shipment, subjectId: 'SHP-1001' }
  const missed = {
    ...shipment,
    subjectId: 'SHP-1002',
    type: 'expectation.missed',
    expectation: 'packing-list',
  } as const
  const acknowledged = { by: 'token', at: NOW - HOUR, note: 'The carrier was called.', until: NOW + DAY }
  return [
    {
      ...shipment,
      id: 'exc_late',
      type: 'shipment.milestone_overdue',
      milestone: 'departure',
      openedAt: NOW - 2 * DAY,
    },
    { ...shipment, id: 'exc_risk', type: 'shipment.delivery_at_risk', openedAt: NOW - 4 * HOUR },
    {
      ...rest,
      id: 'exc_paid',
      resource: 'invoice',
      subjectId: 'INV-7001',
      type: 'invoice.overdue',
      openedAt: NOW - HOUR,
    },
    { ...missed, id: 'exc_list', severity: 'warning', openedAt: NOW - 3 * DAY },
    {
      ...other,
      id: 'exc_seen',
      type: 'shipment.problem_reported',
      milestone: 'arrival',
      openedAt: NOW - DAY,
      acknowledged,
    },
  ]
}

/** One of another type, in the last day: more by day than by night. */
function plainEvent(event: LoggedEvent, type: LoggedEvent['type'], nth: number): LoggedEvent {
  const hours = (nth % 3 === 0 ? nth % 24 : nth % 11) + 0.07 * (nth % 13)
  const resource = type.startsWith('invoice') ? 'invoice' : type.startsWith('document') ? 'document' : 'shipment'
  return {
    ...event,
    id: `evt_plain${nth}`,
    type,
    subject: { ...event.subject, resource, id: `${resource.slice(0, 3).toUpperCase()}-${nth}` },
    timestamp: NOW - hours * HOUR,
    changes: [{ path: '/status', from: 'booked', to: 'in_progress' }],
    extras: { from: 'booked', to: 'in_progress' },
  }
}

function etaEvent(
  record: RecordDetail,
  { before, step, value }: { readonly value: DateValue; readonly before: DateValue | undefined; readonly step: number },
): LoggedEvent {
  const object = record.object ?? {}
  const [from, to] = [before?.date ?? null, value.date]
  const shift = (Date.parse(to ?? '') - Date.parse(from ?? '')) / MINUTE
  return {
    id: value.eventId ?? '',
    type: 'shipment.eta_changed',
    account: record.account,
    subject: { resource: 'shipment', id: record.id, version: step + 1, previousEventId: null },
    timestamp: value.toldAt ?? NOW,
    observed: null,
    cause: 'change',
    object,
    before: null,
    changes: [
      { path: '/main_tracking_dates/arrival_date/date', from, to },
      ...(step === 0 ? [{ path: '/main_tracking_dates/arrival_date/status', from: 'planned', to: 'estimated' }] : []),
    ],
    shipment: summariseShipment(record.id, object),
    extras: {
      date_change: {
        milestone: 'arrival',
        from: { date: from, status: before?.status ?? null },
        to: { date: to, status: value.status },
        shift_minutes: shift,
      },
    },
    sequence: 0,
    expiredAt: null,
  }
}

function delivery(event: string, name: string, state: Delivery['state']): Delivery {
  const [, nth = '', step = ''] = /SHP-(\d+)-(\d+)/.exec(event) ?? []
  return {
    id: `dlv_${event}_${name}`,
    eventId: `evt_${nth}x${Number(step) + 1}`,
    type: 'shipment.eta_changed',
    account: 'acme',
    subscription: name,
    state,
    attempts: 1,
    waitsFor: null,
    nextAttemptAt: null,
    lastStatus: state === 'delivered' ? 200 : 503,
    lastError: state === 'delivered' ? null : '503 Service Unavailable',
    position: null,
    payloadExpiredAt: null,
  }
}

const SAMPLED: ListAudit = {
  days: [{ day: Math.floor(NOW / DAY), sampled: 400, differed: 0 }],
  sampled: 400,
  differed: 0,
  episode: null,
  last: null,
}

function overview(name: string, ages: readonly number[]): AccountOverview {
  const resources = ['shipment', 'tracking', 'invoice'] as const
  return {
    account: name,
    lastSequence: 1_400,
    budgetUse: { requests: name === 'acme' ? 2_210 : 3_420, budgetPerHour: 3_600 },
    pause: null,
    ceiling: null,
    record: null,
    lists: resources.map((resource, nth) => ({
      resource,
      records: 400,
      oldestReadAt: NOW - (ages[nth] ?? 0),
      newestReadAt: NOW - 5_000,
      pass: 91,
      passStartedAt: NOW - 60_000,
      completeFrom: null,
      completedAt: NOW - 30_000,
      baselinedAt: NOW - 20 * DAY,
      largestPage: 100,
      endProbe: null,
      shipmentIdField: null,
      baselinePass: 1,
      fetchWorks: true,
      absorbed: [],
      idCollisions: [],
      gaps: NO_GAPS,
      audit: resource === 'shipment' ? SAMPLED : null,
    })),
  }
}

function endpoint(name: string, failures: number): EndpointOverview {
  const fails = failures > 0
  return {
    subscription: name,
    configured: true,
    enabled: true,
    disabled: null,
    counts: { pending: fails ? 38 : 0, delivered: 4_120, exhausted: fails ? 3 : 0, held: 0, discarded: 0 },
    failuresInARow: failures,
    failingSince: fails ? NOW - 25 * MINUTE : null,
    failingForMs: 0,
    lastFailureAt: fails ? NOW - MINUTE : null,
    lastError: fails ? '503 Service Unavailable' : null,
    lastSuccessAt: fails ? NOW - 40 * MINUTE : NOW - 20_000,
    exhaustedSince: null,
    oldestPendingAt: fails ? NOW - 41 * MINUTE : null,
    runtime: null,
    isPulled: false,
    position: 4_161,
  }
}
