import { field } from '../../model/json.ts'
import { toneOfMinutes } from '../tone.ts'
import type { Phrase } from './phrase.ts'

const LINE =
  '{% if data.line.reference %}Line {{ data.line.reference | short }}{% else %}A line{% endif %} of purchase order {{ it }}'

const TO_SHIPMENT =
  '{% if data.object.platform_shipment_id %} to shipment {{ data.object.platform_shipment_id | short }}{% endif %}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} of shipment {{ data.object.platform_shipment_id | short }}{% endif %}'

/** Documents, purchase orders, locations and order preparations. */
export const RECORD_PHRASES = {
  'document.added': {
    say: `Document {{ it }} was added{% if data.object.type %} as {{ data.object.type | words }}{% endif %}${TO_SHIPMENT}.`,
    tone: 'neutral',
  },
  'document.classified': {
    say: `Document {{ it }}${OF_SHIPMENT} was classified{% if data.object.type %} as {{ data.object.type | words }}{% endif %}.`,
    tone: 'neutral',
  },
  'document.updated': { say: 'Document {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'document.removed': { say: 'Document {{ it }} is gone from the platform.', tone: 'warning' },
  'document.restored': { say: 'Document {{ it }} is back on the platform.', tone: 'neutral' },
  'purchase_order.created': {
    say: 'Purchase order {{ it }}{% if data.object.supplier_name %} from {{ data.object.supplier_name | short }}{% endif %} is new.',
    tone: 'neutral',
  },
  'purchase_order.updated': { say: 'Purchase order {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'purchase_order.removed': { say: 'Purchase order {{ it }} is gone from the platform.', tone: 'warning' },
  'purchase_order.restored': { say: 'Purchase order {{ it }} is back on the platform.', tone: 'neutral' },
  'purchase_order.assigned': { say: `${LINE} was assigned to shipment {{ data.shipment_id | short }}.`, tone: 'good' },
  'purchase_order.unassigned': {
    say: `${LINE} was taken off shipment {{ data.shipment_id | short }}.`,
    tone: 'warning',
  },
  'purchase_order.shipped_quantity_changed': {
    say: 'Shipped quantities of purchase order {{ it }}{% if data.shipment_id %} on shipment {{ data.shipment_id | short }}{% endif %} changed{{ data.changes | changed }}.',
    tone: 'neutral',
  },
  'purchase_order.shipment_status_changed': {
    say: 'Shipment {{ data.shipment_id | short }} of purchase order {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: (data) => (field(data, 'to') === 'cancelled' ? 'warning' : 'neutral'),
  },
  'purchase_order.eta_changed': {
    say: 'The expected delivery of purchase order {{ it }} {{ data | moved }}.',
    tone: (data) => toneOfMinutes(field(data, 'shift_minutes')),
  },
  'purchase_order.delivery_at_risk': {
    say: 'Purchase order {{ it }} is expected {{ data.slack_days | days }} after the desired date{% if data.order_status.desired_delivery_date %}, {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
    tone: 'critical',
  },
  'purchase_order.delivery_back_on_track': {
    say: 'The delivery of purchase order {{ it }} is back on track{% if data.slack_days > 0 %}, {{ data.slack_days | days }} before the desired date{% endif %}.',
    tone: 'good',
  },
  'purchase_order.fully_assigned': {
    say: 'All that was ordered with purchase order {{ it }} is assigned to shipments.',
    tone: 'good',
  },
  'purchase_order.delivered': {
    say: 'Purchase order {{ it }} was delivered{% if data.date %} on {{ data.date | moment }}{% endif %}.',
    tone: 'good',
  },
  'location.created': { say: 'Location {{ it }} is new.', tone: 'neutral' },
  'location.updated': { say: 'Location {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'location.removed': { say: 'Location {{ it }} is gone from the platform.', tone: 'warning' },
  'location.restored': { say: 'Location {{ it }} is back on the platform.', tone: 'neutral' },
  'order_preparation.created': { say: 'Order preparation {{ it }} is new.', tone: 'neutral' },
  'order_preparation.updated': {
    say: 'Order preparation {{ it }} changed{{ data.changes | changed }}.',
    tone: 'neutral',
  },
  'order_preparation.removed': { say: 'Order preparation {{ it }} is gone from the platform.', tone: 'warning' },
  'order_preparation.restored': { say: 'Order preparation {{ it }} is back on the platform.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>

/** The amount, where the record that says it is there. */
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} over {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER} is new{% if data.object.due_date %}, due {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'

export const INVOICE_PHRASES = {
  'invoice.created': { say: `Invoice ${CREATED}`, tone: 'neutral' },
  'invoice.status_changed': {
    say: 'Invoice {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'invoice.due_date_changed': {
    say: 'The due date of invoice {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
    tone: 'warning',
  },
  'invoice.amount_changed': {
    say: 'The amount of invoice {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
    tone: 'warning',
  },
  'invoice.updated': { say: 'Invoice {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'invoice.removed': { say: 'Invoice {{ it }} is gone from the platform.', tone: 'warning' },
  'invoice.restored': { say: 'Invoice {{ it }} is back on the platform.', tone: 'neutral' },
  'invoice.due_soon': {
    say: `Invoice {{ it }}${OVER} falls due {% if data.days_left == 0 %}today{% else %}in {{ data.days_left | days }}{% endif %}{% if data.due_date %}, on ${ON}{% endif %}.`,
    tone: 'warning',
  },
  'invoice.due': {
    say: `{% if data.reason == "status" %}The platform calls invoice {{ it }}${OVER} due{% if data.due_date %}; its due date is ${ON}{% endif %}.{% else %}Invoice {{ it }}${OVER} is due{% if data.due_date %} on ${ON}{% endif %}.{% endif %}`,
    tone: 'warning',
  },
  'invoice.overdue': {
    say: `Invoice {{ it }}${OVER} is {{ data.days_overdue | days }} overdue{% if data.due_date %}: it was due on ${ON}{% endif %}.`,
    tone: 'critical',
  },
  'invoice.overdue_cleared': { say: 'Invoice {{ it }} is no longer overdue.', tone: 'good' },
  'credit_note.created': { say: `Credit note ${CREATED}`, tone: 'neutral' },
  'credit_note.status_changed': {
    say: 'Credit note {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'credit_note.due_date_changed': {
    say: 'The due date of credit note {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
    tone: 'neutral',
  },
  'credit_note.amount_changed': {
    say: 'The amount of credit note {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
    tone: 'warning',
  },
  'credit_note.updated': { say: 'Credit note {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'credit_note.removed': { say: 'Credit note {{ it }} is gone from the platform.', tone: 'warning' },
  'credit_note.restored': { say: 'Credit note {{ it }} is back on the platform.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>

const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
const BEFORE = '{% assign before = data | before %}{% if before != "" %}; before: {{ before }}{% endif %}'
/** What happened, where that is said in other words than before. */
const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; before: {{ named }}{% endif %}'

export const TRACKING_PHRASES = {
  'tracking.event_added': { say: `${WHAT}${WHEN}.`, tone: 'neutral' },
  'tracking.event_updated': { say: `${WHAT}${WHEN}${BEFORE}${RENAMED}.`, tone: 'neutral' },
  'tracking.event_actualised': { say: `${WHAT} has happened${WHEN}${BEFORE}.`, tone: 'good' },
  'tracking.event_retracted': {
    say: '{{ it }}: taken back: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
    tone: 'warning',
  },
  'tracking.status_changed': {
    say: 'Tracking of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'tracking.position_changed': {
    say: '{% if data.position %}{{ it }} is at {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}The position of {{ it }} is no longer known.{% endif %}',
    tone: 'neutral',
  },
  'tracking.updated': { say: 'Tracking of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
