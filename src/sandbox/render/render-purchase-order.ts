import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import type { OrderLife, OrderLine } from '../life/place-orders.ts'
import { valueAt } from '../life/timeline.ts'
import { dayText } from './date-text.ts'
import { renderShippedLines } from './render-shipped-lines.ts'
import { shipmentStatus } from './shipment-status.ts'

/** An order at a moment, from its placing on, as far as its shipment has come. */
export function renderPurchaseOrder(life: Life, order: OrderLife, time: number): JsonObject {
  return {
    po_number: renderNumber(order.number, life.brief.index),
    supplier_name: order.supplier,
    purchase_order_lines: order.lines.map((line) => renderLine(life, { order, line }, time)),
    desired_ex_factory_date: dayText(valueAt(order.exFactoryDay, time) ?? 0),
    desired_delivery_date: dayText(order.deliveryDay),
    custom_parameters: [
      { name: 'season', value: order.season },
      { name: 'destination', value: life.brief.delivery.city },
    ],
  }
}

/** Of the numbers that are all digits, half are rendered as numbers; each always alike. */
function renderNumber(number: string, index: number): string | number {
  return /^\d+$/.test(number) && index % 2 === 0 ? Number(number) : number
}

interface LineOfOrder {
  readonly order: OrderLife
  readonly line: OrderLine
}

function renderLine(life: Life, { order, line }: LineOfOrder, time: number): JsonObject {
  const { goods } = line
  const assigned = valueAt(line.assigned, Math.min(time, life.cancelledAt))
  return {
    reference: line.reference,
    product: {
      sku: line.sku,
      name: `${goods.description.split(',')[0] ?? ''}, ${line.variant}`,
      hs_code: goods.hsCode,
      description: goods.description,
      is_hazardous: goods.hazard === undefined ? 'false' : 'true',
      hazardous_description: goods.hazard ?? null,
      custom_parameters: [{ name: 'variant', value: line.variant }],
    },
    ordered_quantity: line.quantity,
    unit_price: { amount: line.unitPrice, currency: 'EUR' },
    assigned_order_lines:
      assigned === undefined
        ? []
        : [
            {
              platform_shipment_id: life.brief.id,
              shipment_status: shipmentStatus(life, time),
              assigned_quantity: assigned,
              shipped_order_lines: renderShippedLines(life, { number: order.number, line }, time),
            },
          ],
  }
}
