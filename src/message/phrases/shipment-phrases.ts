import { field } from '../../model/json.ts'
import { toneOfDays, toneOfShift } from '../tone.ts'
import type { Phrase } from './phrase.ts'
import { FAR, PORTS, REFERENCES } from './shared.ts'

const REACHED =
  '{{ data.date_change.to | moment }}{% if data.date_change.shift_minutes %}, {{ data.date_change | shift }} than last known{% endif %}'

const CONTAINER =
  '{% if data.container.container_number %}Container {{ data.container.container_number | short }}{% else %}A container without a number{% endif %}'

const WENT = `went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}${FAR}`

export const SHIPMENT_PHRASES = {
  'shipment.created': { say: 'Shipment {{ it }} is new{{ data.object | journey }}.', tone: 'neutral' },
  'shipment.removed': { say: 'Shipment {{ it }} is gone from the platform.', tone: 'warning' },
  'shipment.restored': { say: 'Shipment {{ it }} is back on the platform.', tone: 'good' },
  'shipment.status_changed': {
    say: 'Shipment {{ it }} went from {{ data.from | words }} to {{ data.to | words }}{% if data.regression %}, a step back{% endif %}.',
    tone: (data) => (field(data, 'regression') === true || field(data, 'to') === 'cancelled' ? 'warning' : 'neutral'),
  },
  'shipment.pickup_date_changed': { say: 'Pickup of {{ it }} {{ data.date_change | moved }}.', tone: toneOfShift },
  'shipment.etd_changed': { say: 'Departure (ETD) of {{ it }} {{ data.date_change | moved }}.', tone: toneOfShift },
  'shipment.eta_changed': { say: 'Arrival (ETA) of {{ it }} {{ data.date_change | moved }}.', tone: toneOfShift },
  'shipment.delivery_date_changed': { say: 'Delivery of {{ it }} {{ data.date_change | moved }}.', tone: toneOfShift },
  'shipment.picked_up': { say: `{{ it }} was picked up on ${REACHED}.`, tone: 'good' },
  'shipment.departed': { say: `{{ it }} departed on ${REACHED}.`, tone: 'good' },
  'shipment.arrived': { say: `{{ it }} arrived on ${REACHED}.`, tone: 'good' },
  'shipment.delivered': { say: `{{ it }} was delivered on ${REACHED}.`, tone: 'good' },
  'shipment.milestone_corrected': {
    say: 'The actual {{ data.date_change.milestone }} of {{ it }} {{ data.date_change | corrected }}.',
    tone: 'warning',
  },
  'shipment.problem_reported': {
    say: 'A problem was reported with the {{ data.date_change.milestone }} of {{ it }}{% if data.date_change.to.date %}, expected {{ data.date_change.to | moment }}{% endif %}.',
    tone: 'critical',
  },
  'shipment.problem_cleared': {
    say: 'The problem with the {{ data.date_change.milestone }} of {{ it }} is cleared{% if data.date_change.to.date %}; it is now {{ data.date_change.to.status | words }} for {{ data.date_change.to | moment }}{% endif %}.',
    tone: 'good',
  },
  'shipment.rolled': {
    say: '{{ it }} was rolled from {{ data.from | carriage }} to {{ data.to | carriage }}.',
    tone: 'warning',
  },
  'shipment.booking_updated': { say: 'The booking of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'shipment.container_added': {
    say: `${CONTAINER} was added to {{ it }}.`,
    tone: 'neutral',
  },
  'shipment.container_updated': {
    say: `${CONTAINER} of {{ it }} changed{{ data.changes | changed }}.`,
    tone: 'neutral',
  },
  'shipment.container_removed': {
    say: `${CONTAINER} was taken off {{ it }}.`,
    tone: 'warning',
  },
  'shipment.cargo_updated': { say: 'The cargo of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'shipment.invoice_status_changed': {
    say: 'The invoice status of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'shipment.rerouted': {
    say: `{{ it }} was rerouted${PORTS}{% if isOther %} from {{ was }} to {{ now }}{% else %}{{ data.changes | changed }}{% endif %}.`,
    tone: 'warning',
  },
  'shipment.cargo_ready_date_changed': {
    say: `The cargo-ready date of {{ it }} ${WENT}.`,
    tone: toneOfDays,
  },
  'shipment.desired_delivery_date_changed': { say: `The desired delivery date of {{ it }} ${WENT}.`, tone: 'neutral' },
  'shipment.quote_accepted': {
    say: `{% if data.to.id and data.to.id != data.from.id %}Quote {{ data.to.id | short }} was accepted for {{ it }}.{% else %}The accepted quote of {{ it }} changed{{ data.changes | changed }}.{% endif %}`,
    tone: 'neutral',
  },
  'shipment.references_changed': {
    say: `The references of {{ it }} changed${REFERENCES}.`,
    tone: 'neutral',
  },
  'shipment.goods_updated': { say: 'The goods of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'shipment.updated': { say: 'Shipment {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'shipment.delivery_at_risk': {
    say: 'The delivery of {{ it }} is expected {{ data.slack_days | days }} after the desired date{% if data.object.desired_delivery_date %}, {{ data.object.desired_delivery_date | moment }}{% endif %}.',
    tone: 'critical',
  },
  'shipment.delivery_back_on_track': {
    say: 'The delivery of {{ it }} is back on track{% if data.slack_days > 0 %}, {{ data.slack_days | days }} before the desired date{% endif %}.',
    tone: 'good',
  },
  'shipment.milestone_overdue': {
    say: 'The {{ data.milestone }} of {{ it }} is {{ data.hours_late | hours }} overdue{% if data.date %}: expected {{ data.date | moment }}{% endif %}.',
    tone: 'critical',
  },
} as const satisfies Readonly<Record<string, Phrase>>
