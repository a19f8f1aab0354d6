export const LINE =
  '{% if data.line.reference %}Line {{ data.line.reference | short }}{% else %}A line{% endif %} of purchase order {{ it }}'

const TO_SHIPMENT =
  '{% if data.object.platform_shipment_id %} to shipment {{ data.object.platform_shipment_id | short }}{% endif %}'
const OF_SHIPMENT =
  '{% if data.object.platform_shipment_id %} of shipment {{ data.object.platform_shipment_id | short }}{% endif %}'

/** Documents, purchase orders, locations and order preparations. */
export const RECORD_PHRASES = {
  'document.added': `Document {{ it }} was added{% if data.object.type %} as {{ data.object.type | words }}{% endif %}${TO_SHIPMENT}.`,
  'document.classified': `Document {{ it }}${OF_SHIPMENT} was classified{% if data.object.type %} as {{ data.object.type | words }}{% endif %}.`,
  'document.updated': 'Document {{ it }} changed{{ data.changes | changed }}.',
  'document.removed': 'Document {{ it }} is gone from the platform.',
  'document.restored': 'Document {{ it }} is back on the platform.',
  'document.snapshot': 'Document {{ it }} as it stands.',
  'purchase_order.created':
    'Purchase order {{ it }}{% if data.object.supplier_name %} from {{ data.object.supplier_name | short }}{% endif %} is new.',
  'purchase_order.updated': 'Purchase order {{ it }} changed{{ data.changes | changed }}.',
  'purchase_order.removed': 'Purchase order {{ it }} is gone from the platform.',
  'purchase_order.restored': 'Purchase order {{ it }} is back on the platform.',
  'purchase_order.snapshot': 'Purchase order {{ it }} as it stands.',
  'purchase_order.assigned': `${LINE} was assigned to shipment {{ data.shipment_id | short }}.`,
  'purchase_order.unassigned': `${LINE} was taken off shipment {{ data.shipment_id | short }}.`,
  'purchase_order.shipped_quantity_changed':
    'Shipped quantities of purchase order {{ it }}{% if data.shipment_id %} on shipment {{ data.shipment_id | short }}{% endif %} changed{{ data.changes | changed }}.',
  'purchase_order.shipment_status_changed':
    'Shipment {{ data.shipment_id | short }} of purchase order {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
  'purchase_order.eta_changed': 'The expected delivery of purchase order {{ it }} {{ data | moved }}.',
  'purchase_order.delivery_at_risk':
    'Purchase order {{ it }} is expected {{ data.slack_days | days }} after the desired date{% if data.order_status.desired_delivery_date %}, {{ data.order_status.desired_delivery_date | moment }}{% endif %}.',
  'purchase_order.delivery_back_on_track':
    'The delivery of purchase order {{ it }} is back on track{% if data.slack_days > 0 %}, {{ data.slack_days | days }} before the desired date{% endif %}.',
  'purchase_order.fully_assigned': 'All that was ordered with purchase order {{ it }} is assigned to shipments.',
  'purchase_order.delivered':
    'Purchase order {{ it }} was delivered{% if data.date %} on {{ data.date | moment }}{% endif %}.',
  'location.created': 'Location {{ it }} is new.',
  'location.updated': 'Location {{ it }} changed{{ data.changes | changed }}.',
  'location.removed': 'Location {{ it }} is gone from the platform.',
  'location.restored': 'Location {{ it }} is back on the platform.',
  'location.snapshot': 'Location {{ it }} as it stands.',
  'order_preparation.created': 'Order preparation {{ it }} is new.',
  'order_preparation.updated': 'Order preparation {{ it }} changed{{ data.changes | changed }}.',
  'order_preparation.removed': 'Order preparation {{ it }} is gone from the platform.',
  'order_preparation.restored': 'Order preparation {{ it }} is back on the platform.',
  'order_preparation.snapshot': 'Order preparation {{ it }} as it stands.',
} as const satisfies Readonly<Record<string, string>>

/** The amount, where the record that says it is there. */
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} over {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER} is new{% if data.object.due_date %}, due {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'

export const INVOICE_PHRASES = {
  'invoice.created': `Invoice ${CREATED}`,
  'invoice.status_changed': 'Invoice {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
  'invoice.due_date_changed':
    'The due date of invoice {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
  'invoice.amount_changed':
    'The amount of invoice {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
  'invoice.updated': 'Invoice {{ it }} changed{{ data.changes | changed }}.',
  'invoice.removed': 'Invoice {{ it }} is gone from the platform.',
  'invoice.restored': 'Invoice {{ it }} is back on the platform.',
  'invoice.snapshot': 'Invoice {{ it }} as it stands.',
  'invoice.due_soon': `Invoice {{ it }}${OVER} falls due {% if data.days_left == 0 %}today{% else %}in {{ data.days_left | days }}{% endif %}{% if data.due_date %}, on ${ON}{% endif %}.`,
  'invoice.due': `{% if data.reason == "status" %}The platform calls invoice {{ it }}${OVER} due{% if data.due_date %}; its due date is ${ON}{% endif %}.{% else %}Invoice {{ it }}${OVER} is due{% if data.due_date %} on ${ON}{% endif %}.{% endif %}`,
  'invoice.overdue': `Invoice {{ it }}${OVER} is {{ data.days_overdue | days }} overdue{% if data.due_date %}: it was due on ${ON}{% endif %}.`,
  'invoice.overdue_cleared': 'Invoice {{ it }} is no longer overdue.',
  'credit_note.created': `Credit note ${CREATED}`,
  'credit_note.status_changed': 'Credit note {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
  'credit_note.due_date_changed':
    'The due date of credit note {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
  'credit_note.amount_changed':
    'The amount of credit note {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
  'credit_note.updated': 'Credit note {{ it }} changed{{ data.changes | changed }}.',
  'credit_note.removed': 'Credit note {{ it }} is gone from the platform.',
  'credit_note.restored': 'Credit note {{ it }} is back on the platform.',
  'credit_note.snapshot': 'Credit note {{ it }} as it stands.',
} as const satisfies Readonly<Record<string, string>>

const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
export const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
export const BEFORE = '{% assign before = data | before %}{% if before != "" %}; before: {{ before }}{% endif %}'
/** What happened, where that is said in other words than before. */
export const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; before: {{ named }}{% endif %}'

export const TRACKING_PHRASES = {
  'tracking.event_added': `${WHAT}${WHEN}.`,
  'tracking.event_updated': `${WHAT}${WHEN}${BEFORE}${RENAMED}.`,
  'tracking.event_actualised': `${WHAT} has happened${WHEN}${BEFORE}.`,
  'tracking.event_retracted':
    '{{ it }}: taken back: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
  'tracking.status_changed': 'Tracking of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
  'tracking.position_changed':
    '{% if data.position %}{{ it }} is at {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}The position of {{ it }} is no longer known.{% endif %}',
  'tracking.updated': 'Tracking of {{ it }} changed{{ data.changes | changed }}.',
  'tracking.snapshot': 'Tracking of {{ it }} as it stands.',
} as const satisfies Readonly<Record<string, string>>
