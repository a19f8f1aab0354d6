import type { EventTypeInfo } from './event-type-info.ts'

/** What did not happen by when it was expected (guarantee E7), about any record that an expectation can be about. */
export const EXPECTATION_EVENT_TYPES = [
  {
    type: 'expectation.missed',
    family: 'expectation',
    resource: 'shipment',
    others: ['purchase_order', 'invoice'],
    when: 'What a rule expects by an instant has not happened by then.',
  },
  {
    type: 'expectation.met',
    family: 'expectation',
    resource: 'shipment',
    others: ['purchase_order', 'invoice'],
    when: 'What was missed has happened.',
  },
  {
    type: 'expectation.withdrawn',
    family: 'expectation',
    resource: 'shipment',
    others: ['purchase_order', 'invoice'],
    when: 'What was missed is not expected any more, or later.',
  },
] as const satisfies readonly EventTypeInfo[]
