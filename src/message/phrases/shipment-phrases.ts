import { FAR, PORTS, REFERENCES } from './shared.ts'

export const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes and data.date_change.shift_minutes != 0 %}, {{ data.date_change | shift }} than last known{% endif %}'

export const CONTAINER =
  '{% if data.container.container_number %}Container {{ data.container.container_number | short }}{% else %}A container without a number{% endif %}'

const WENT = `went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}${FAR}`

export const SHIPMENT_PHRASES = {
  'shipment.created': 'Shipment {{ it }} is new{{ data.object | journey }}.',
  'shipment.removed': 'Shipment {{ it }} is gone from the platform.',
  'shipment.restored': 'Shipment {{ it }} is back on the platform.',
  'shipment.snapshot': 'Shipment {{ it }} as it stands{{ data.object | journey }}.',
  'shipment.status_changed':
    'Shipment {{ it }} went from {{ data.from | words }} to {{ data.to | words }}{% if data.regression %}, a step back{% endif %}.',
  'shipment.pickup_date_changed': 'Pickup of {{ it }} {{ data.date_change | moved }}.',
  'shipment.etd_changed': 'Departure (ETD) of {{ it }} {{ data.date_change | moved }}.',
  'shipment.eta_changed': 'Arrival (ETA) of {{ it }} {{ data.date_change | moved }}.',
  'shipment.delivery_date_changed': 'Delivery of {{ it }} {{ data.date_change | moved }}.',
  'shipment.picked_up': `{{ it }} was picked up on ${REACHED}.`,
  'shipment.departed': `{{ it }} departed on ${REACHED}.`,
  'shipment.arrived': `{{ it }} arrived on ${REACHED}.`,
  'shipment.delivered': `{{ it }} was delivered on ${REACHED}.`,
  'shipment.milestone_corrected':
    'The actual {{ data.date_change.milestone }} of {{ it }} {{ data.date_change | corrected }}.',
  'shipment.problem_reported':
    'A problem was reported with the {{ data.date_change.milestone }} of {{ it }}{% if data.date_change.to.date %}, expected {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.problem_cleared':
    'The problem with the {{ data.date_change.milestone }} of {{ it }} is cleared{% if data.date_change.to.date %}; it is now {{ data.date_change.to.status | words }} for {{ data.date_change.to | moment }}{% endif %}.',
  'shipment.rolled': '{{ it }} was rolled from {{ data.from | carriage }} to {{ data.to | carriage }}.',
  'shipment.booking_updated': 'The booking of {{ it }} changed{{ data.changes | changed }}.',
  'shipment.container_added': `${CONTAINER} was added to {{ it }}.`,
  'shipment.container_updated': `${CONTAINER} of {{ it }} changed{{ data.changes | changed }}.`,
  'shipment.container_removed': `${CONTAINER} was taken off {{ it }}.`,
  'shipment.cargo_updated': 'The cargo of {{ it }} changed{{ data.changes | changed }}.',
  'shipment.invoice_status_changed':
    'The invoice status of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
  'shipment.rerouted': `{{ it }} was rerouted${PORTS}{% if isOther %} from {{ was }} to {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
  'shipment.cargo_ready_date_changed': `The cargo-ready date of {{ it }} ${WENT}.`,
  'shipment.desired_delivery_date_changed': `The desired delivery date of {{ it }} ${WENT}.`,
  'shipment.quote_accepted': `{% if data.to.id and data.to.id != data.from.id %}Quote {{ data.to.id | short }} was accepted for {{ it }}.{% else %}The accepted quote of {{ it }} changed{{ data.changes | changed }}.{% endif %}`,
  'shipment.references_changed': `The references of {{ it }} changed${REFERENCES}.`,
  'shipment.goods_updated': 'The goods of {{ it }} changed{{ data.changes | changed }}.',
  'shipment.updated': 'Shipment {{ it }} changed{{ data.changes | changed }}.',
  'shipment.delivery_at_risk':
    'The delivery of {{ it }} is expected {{ data.slack_days | days }} after the desired date{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
  'shipment.delivery_back_on_track':
    'The delivery of {{ it }} is back on track{% if data.slack_days > 0 %}, {{ data.slack_days | days }} before the desired date{% endif %}.',
  'shipment.milestone_overdue':
    'The {{ data.milestone }} of {{ it }} is {{ data.hours_late | hours }} overdue{% if data.date %}: expected {{ data.date | moment }}{% endif %}.',
} as const satisfies Readonly<Record<string, string>>
