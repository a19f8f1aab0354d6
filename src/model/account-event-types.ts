import type { EventTypeInfo } from './event-type-info.ts'

/** The part of the catalogue that tells of the account itself, not of what the platform holds. */
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
    type: 'account.recovered',
    family: 'service',
    resource: 'account',
    when: 'The platform answers again, or again for one resource (`resource`).',
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
    when: 'A pass would have removed too much to be believed; `shipbell holds` says which is right.',
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
