import type { EventTypeInfo } from './event-type-info.ts'

/** The part of the catalogue that tells of the subscriptions' own endpoints. None is sent to the endpoint it is about. */
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
