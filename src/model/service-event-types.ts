import type { EventTypeInfo } from './event-type-info.ts'

/** The part of the catalogue about the account itself, not of what the platform holds. */
export const ACCOUNT_EVENT_TYPES = [
  {
    type: 'account.baseline_completed',
    family: 'service',
    resource: 'account',
    when: 'The first complete pass over a resource ended.',
  },
  { type: 'account.unreachable', family: 'service', resource: 'account', when: 'Three requests in a row failed.' },
  {
    type: 'account.unauthorized',
    family: 'service',
    resource: 'account',
    when: 'The platform refused the API key: all of it, or (`resource`) one resource while others answer.',
  },
  {
    type: 'account.paused',
    family: 'service',
    resource: 'account',
    when: 'The platform asks to be left alone for more than 15 minutes; nothing is read until then (`until`).',
  },
  {
    type: 'account.recovered',
    family: 'service',
    resource: 'account',
    when: 'The platform answers again, or again for one resource (`resource`); `was` says what is over.',
  },
  {
    type: 'account.list_incomplete',
    family: 'service',
    resource: 'account',
    when: 'Three passes in a row could not read all of a list (`resource`).',
  },
  {
    type: 'account.list_stale',
    family: 'service',
    resource: 'account',
    when: 'A list (`resource`) shows old rows: fetches by id show newer ones, before and after it was read again.',
  },
  {
    type: 'account.clock_differs',
    family: 'service',
    resource: 'account',
    when: "The platform's clock and this machine's differ by more than two minutes: a due date rings once both have reached it.",
  },
  {
    type: 'account.removals_held',
    family: 'service',
    resource: 'account',
    when: 'A pass would have removed too much to be believed; `shipbell holds list` says which is right.',
  },
  {
    type: 'account.schema_drift',
    family: 'service',
    resource: 'account',
    when: 'A field outside the interface appeared on half of a page; its first value in each record is silent.',
  },
  {
    type: 'account.record_rejected',
    family: 'service',
    resource: 'account',
    when: 'A record cannot be understood; its last good reading stays. Once per record and reason.',
  },
] as const satisfies readonly EventTypeInfo[]

/** The part of the catalogue about Shipbell itself. */
export const OWN_EVENT_TYPES = [
  {
    type: 'shipbell.test',
    family: 'service',
    resource: 'subscription',
    when: 'An endpoint is tried by `shipbell subscriptions test`.',
  },
  {
    type: 'shipbell.watermark',
    family: 'service',
    resource: 'subscription',
    when: 'With `watermark`: up to which position every delivery has ended.',
  },
  {
    type: 'shipbell.configuration_rejected',
    family: 'service',
    resource: 'configuration',
    when: 'A changed configuration cannot be used, and the one before it stays in force; once per content of its files.',
  },
] as const satisfies readonly EventTypeInfo[]

/** The part of the catalogue about the subscriptions' own endpoints. None is sent to the endpoint it is about. */
export const ENDPOINT_EVENT_TYPES = [
  {
    type: 'endpoint.failing',
    family: 'service',
    resource: 'subscription',
    when: 'Four attempts in a row failed; its events are still tried.',
  },
  {
    type: 'endpoint.exhausted',
    family: 'service',
    resource: 'subscription',
    when: 'The last retry of an event failed; the event is kept for `shipbell deliveries retry`.',
  },
  {
    type: 'endpoint.disabled',
    family: 'service',
    resource: 'subscription',
    when: 'The endpoint answered 410, or nothing but failures for 5 days; its events are held.',
  },
  {
    type: 'endpoint.recovered',
    family: 'service',
    resource: 'subscription',
    when: 'The endpoint accepts events again.',
  },
  {
    type: 'endpoint.filter_failed',
    family: 'service',
    resource: 'subscription',
    when: 'Its `where` could not be evaluated on an event, which was delivered; once until `where` changes.',
  },
] as const satisfies readonly EventTypeInfo[]
