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
