import { accountEvent, rejectionEvents } from '../detect/account-event.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import { SAMPLE_ACCOUNT } from '../model/sample-account.ts'
import { watermarkEvent } from '../model/watermark.ts'
import { rejectionEvent } from '../route/configuration-event.ts'
import { endpointEvent } from '../route/endpoint-event.ts'
import { filterFailures } from '../route/filter-failures.ts'
import { testEvent } from '../route/test-event.ts'

const SUBSCRIPTION = 'erp'

const AT = Date.UTC(2026, 10, 21, 8)
const EARLIER = Date.UTC(2026, 10, 21, 7, 24, 55)

type AccountType = Extract<EventType, `account.${string}`>
type EndpointType = Extract<EventType, `endpoint.${string}`>

const DOWN = 'the platform answered 503'
const DOWN_SINCE = formatInstant(EARLIER)

const ACCOUNT_EXTRAS: Readonly<Record<Exclude<AccountType, 'account.record_rejected'>, JsonObject>> = {
  'account.baseline_completed': { resource: 'shipments', count: 240 },
  'account.unreachable': { reason: DOWN },
  'account.unauthorized': { reason: 'the platform answered 401' },
  'account.paused': { reason: 'the platform answered 429', until: '2026-11-21T09:23:20.000Z' },
  'account.recovered': { was: 'degraded', down_since: DOWN_SINCE },
  'account.list_incomplete': {
    resource: 'shipments',
    skip: 137,
    reason: '1 row cannot be read, behind 137 others: the platform answered 500',
  },
  'account.list_stale': { resource: 'shipments', sampled: 412, differed: 1, sample: ['SHP-1'] },
  'account.clock_differs': { difference_seconds: 172_800, platform_date: '2026-11-19T08:00:00.000Z' },
  'account.removals_held': {
    resource: 'shipments',
    reason: 'too_many',
    known: 240,
    missing: 120,
    sample: ['SHP-1'],
  },
  'account.schema_drift': { resource: 'shipments', path: '/carbon_footprint' },
}

/** An event about the account, which comes after its first baseline, and a recovery after what it recovers from. */
export function accountSample(type: AccountType): EventDraft {
  const before = stateBefore(type)
  if (type !== 'account.record_rejected') return accountRung(type, { state: before, at: AT }).event
  const first = { id: 'INV-9', reason: '`lines` is not an array' }
  const rejected = [{ first, count: 1, sample: ['INV-9'] }]
  const { events } = rejectionEvents({ account: SAMPLE_ACCOUNT, state: before, watch: 'invoices', rejected, at: AT })
  return events[0] ?? noSample(type)
}

function stateBefore(type: AccountType): RecordState | null {
  if (type === 'account.baseline_completed') return null
  const first = { state: null, at: Date.UTC(2026, 10, 1, 8) }
  const { state } = accountRung('account.baseline_completed', first)
  return type === 'account.recovered' ? accountRung('account.unreachable', { state, at: EARLIER }).state : state
}

interface Moment {
  readonly state: RecordState | null
  readonly at: number
}

function accountRung(type: keyof typeof ACCOUNT_EXTRAS, moment: Moment) {
  return accountEvent({ account: SAMPLE_ACCOUNT, type, extras: ACCOUNT_EXTRAS[type], ...moment })
}

const UNTAKEN = 'erp.example answered 503'

const ENDPOINT_EXTRAS: Readonly<Record<Exclude<EndpointType, 'endpoint.filter_failed'>, JsonObject>> = {
  'endpoint.failing': { reason: UNTAKEN, failures: 4, since: DOWN_SINCE },
  'endpoint.exhausted': { reason: UNTAKEN, failures: 130, since: formatInstant(AT) },
  'endpoint.disabled': { reason: 'erp.example answered 410', held: 12, since: formatInstant(AT) },
  'endpoint.recovered': { was: 'failing', down_since: DOWN_SINCE },
}

/** An event about the endpoint of a subscription; all but the first kind come after that it was failing. */
export function endpointSample(type: EndpointType, judged: EventDraft): EventDraft {
  const failing = endpointRung('endpoint.failing', { state: null, at: EARLIER })
  if (type === 'endpoint.failing') return failing.event
  if (type !== 'endpoint.filter_failed') return endpointRung(type, { state: failing.state, at: AT }).event
  const reason = 'no such overload: int < string'
  const failure = { subscription: SUBSCRIPTION, expression: 'data.days_left < "3"', event: judged, reason }
  return filterFailures([failure], new Map([[SUBSCRIPTION, failing.state]])).events[0] ?? noSample(type)
}

function endpointRung(type: keyof typeof ENDPOINT_EXTRAS, moment: Moment) {
  return endpointEvent({ subscription: SUBSCRIPTION, type, extras: ENDPOINT_EXTRAS[type], ...moment })
}

export function rejectionSample(): EventDraft {
  const problems = ['shipbell.yaml:12:5: unknown key `secrets`: did you mean `secret`?']
  const rejected = { file: 'shipbell.yaml', problems, digest: 'sample' }
  return rejectionEvent({ state: null, rejected, at: AT, memory: {} }).event
}

export function testSample(): EventDraft {
  return testEvent({ subscription: SUBSCRIPTION, state: null, at: AT }).event
}

export function watermarkSample(): EventDraft {
  const resources = [{ account: SAMPLE_ACCOUNT, resource: 'shipments', readAt: EARLIER }] as const
  const place = { series: '5b1c09ae', position: 1_042, completeThrough: 1_040 }
  return watermarkEvent({ id: `wm_${'5b1c09ae'.repeat(5)}`, subscription: SUBSCRIPTION, at: AT, resources, ...place })
}

function noSample(type: EventType): never {
  throw new RangeError(`No sample of ${type} is made.`)
}
