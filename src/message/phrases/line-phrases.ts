import type { EventType } from '../../model/event-catalogue.ts'
import { BEFORE, LINE, RENAMED, WHEN } from './record-phrases.ts'
import { dateLine, FAR, HAPPENED, PORTS, POSITION, REFERENCES, RETRACTED, SIDES, WHOSE } from './shared.ts'
import { CONTAINER, REACHED } from './shipment-phrases.ts'

/**
 * What is said of a shipment below its name, or behind it: a sentence that does not name the shipment again. Types without one
 * name something else, and are told by their own sentence.
 */
export const LINE_PHRASES: Readonly<Partial<Record<EventType, string>>> = {
  'shipment.created': 'New shipment{{ data.object | journey }}.',
  'shipment.removed': 'Gone from the platform.',
  'shipment.restored': 'Back on the platform.',
  'shipment.status_changed':
    'Status {{ data.from | words }} → {{ data.to | words }}{% if data.regression %}, a step back{% endif %}.',
  'shipment.pickup_date_changed': dateLine('Pickup'),
  'shipment.etd_changed': dateLine('ETD'),
  'shipment.eta_changed': dateLine('ETA'),
  'shipment.delivery_date_changed': dateLine('Delivery'),
  'shipment.picked_up': `Picked up on ${REACHED}.`,
  'shipment.departed': `Departed on ${REACHED}.`,
  'shipment.arrived': `Arrived on ${REACHED}.`,
  'shipment.delivered': `Delivered on ${REACHED}.`,
  'shipment.milestone_corrected': 'The actual {{ data.date_change.milestone }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'A problem was reported with the {{ data.date_change.milestone }}{% if data.date_change.to.date %}, expected {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'The problem with the {{ data.date_change.milestone }} is cleared{% if data.date_change.to.date %}; it is now {{ data.date_change.to.status | words }} for {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': 'Rolled from {{ data.from | carriage }} to {{ data.to | carriage }}.',
  'shipment.booking_updated': 'The booking changed{{ data.changes | changed }}.',
  'shipment.container_added': `${CONTAINER} was added.`,
  'shipment.container_updated': `${CONTAINER} changed{{ data.changes | changed }}.`,
  'shipment.container_removed': `${CONTAINER} was taken off.`,
  'shipment.cargo_updated': 'The cargo changed{{ data.changes | changed }}.',
  'shipment.invoice_status_changed': 'Invoice status {{ data.from | words }} → {{ data.to | words }}.',
  'shipment.rerouted': `Rerouted${PORTS}{% if isOther %} from {{ was }} to {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `Cargo-ready date ${SIDES}${FAR}.`,
  'shipment.desired_delivery_date_changed': `Desired delivery date ${SIDES}${FAR}.`,
  'shipment.quote_accepted':
    '{% if data.to.id and data.to.id != data.from.id %}Quote {{ data.to.id | short }} was accepted.{% else %}The accepted quote changed{{ data.changes | changed }}.{% endif %}',
  'shipment.references_changed': `The references changed${REFERENCES}.`,
  'shipment.goods_updated': 'The goods changed{{ data.changes | changed }}.',
  'shipment.updated': 'The shipment changed{{ data.changes | changed }}.',
  'shipment.delivery_at_risk':
    'Delivery is expected {{ data.slack_days | days }} after the desired date{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'Delivery is back on track{% if data.slack_days > 0 %}, {{ data.slack_days | days }} before the desired date{% endif %}.',
  'shipment.milestone_overdue':
    'The {{ data.milestone }} is {{ data.hours_late | hours }} overdue{% if data.date %}: expected {{ data.date | moment }}{% endif %}.',
  'tracking.event_added': `${HAPPENED}${WHEN}.`,
  'tracking.event_updated': `${HAPPENED}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${HAPPENED} has happened${WHEN}${BEFORE}.`,
  'tracking.event_retracted': `Taken back: ${RETRACTED}.`,
  'tracking.status_changed': 'Tracking {{ data.from | words }} → {{ data.to | words }}.',
  'tracking.position_changed': `{% if data.position %}Now at ${POSITION}.{% else %}The position is no longer known.{% endif %}`,
  'tracking.updated': 'The tracking changed{{ data.changes | changed }}.',
  'document.added':
    'Document {{ it }} was added{% if data.object.type %} as {{ data.object.type | words }}{% endif %}.',
  'document.classified':
    'Document {{ it }} was classified{% if data.object.type %} as {{ data.object.type | words }}{% endif %}.',
  'purchase_order.assigned': `${LINE} was assigned.`,
  'purchase_order.unassigned': `${LINE} was taken off.`,
  'purchase_order.shipped_quantity_changed':
    'Shipped quantities of purchase order {{ it }} changed{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed': 'Status {{ data.from | words }} → {{ data.to | words }}.',
  'expectation.missed': `${WHOSE}{{ data.expectation | short }} was expected by {{ data.by | moment }} and has not happened.`,
  'expectation.met': `${WHOSE}{{ data.expectation | short }} has happened, {{ data.late_by | divided_by: 3600.0 | hours }} after it was expected.`,
  'expectation.withdrawn': `${WHOSE}{{ data.expectation | short }} is no longer expected{% if data.reason == "moved" %} by {{ data.by | moment }}{% endif %}.`,
}
