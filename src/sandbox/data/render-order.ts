import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../render/date-text.ts'
import { statusOf } from './delivery-standing.ts'
import { earliest } from './earliest.ts'
import type { Order, OrderLine } from './order.ts'

/** A purchase order at a moment: what was ordered is known from the start, what follows is the status of its shipments. */
export function renderOrder({ number, lines }: Order, time: number): JsonObject {
  const wanted = earliest(lines.map(({ line }) => line.scheduledDay))
  const supplier = lines.find(({ line }) => line.item.supplier !== null)?.line.item.supplier ?? null
  return {
    po_number: number,
    supplier_name: supplier,
    purchase_order_lines: lines.map((each, index) => renderLine(each, { index, time })),
    desired_delivery_date: wanted === null ? null : dayText(wanted),
    custom_parameters: [],
  }
}

/** A line counts packs, so its price is the pack's: quantity times price is the line's value in the data. */
function renderLine({ line, delivery }: OrderLine, at: { readonly index: number; readonly time: number }): JsonObject {
  const { reference, name, description, quantity, packPrice } = line.item
  return {
    reference: reference ?? String(at.index + 1),
    product: { name, description },
    ordered_quantity: quantity,
    unit_price: packPrice === null ? null : { amount: packPrice, currency: 'USD' },
    assigned_order_lines: [
      {
        platform_shipment_id: delivery.id,
        shipment_status: statusOf(delivery, at.time),
        assigned_quantity: quantity,
        shipped_order_lines: [],
      },
    ],
  }
}
