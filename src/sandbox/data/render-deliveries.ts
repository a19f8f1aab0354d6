import { formatInstant } from '../../model/instant.ts'
import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../date-text.ts'
import { earliest, type Delivery, type Order, type OrderLine } from './delivery.ts'

/** A delivery's shipment at a moment, with those fields of the interface that the data knows. */
export function renderDelivery(delivery: Delivery, time: number): JsonObject {
  const { id, incoterm, freightMode, scheduledDay, orders } = delivery
  const date = renderDate(delivery, time)
  return {
    name: id,
    platform_shipment_id: id,
    status: statusOf(delivery, time),
    ...(incoterm === null ? {} : { incoterm }),
    ...(freightMode === null ? {} : { freight_mode: freightMode }),
    ...(scheduledDay === null ? {} : { desired_delivery_date: dayText(scheduledDay) }),
    purchase_order_references: orders,
    main_tracking_dates: date === null ? {} : { delivery_date: date },
  }
}

function renderDate(delivery: Delivery, time: number): JsonObject | null {
  const { scheduledDay, delivered } = delivery
  if (delivered !== null && isDelivered(delivery, time)) return { date: noonText(delivered.day), status: 'actual' }
  return scheduledDay === null ? null : { date: noonText(scheduledDay), status: 'planned' }
}

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

/** The data has no stage between the order and the delivery: a shipment is booked until its delivery is recorded. */
function isDelivered({ delivered }: Delivery, time: number): boolean {
  return delivered !== null && time >= noonOf(delivered.recordedDay)
}

function statusOf(delivery: Delivery, time: number): 'booked' | 'finished' {
  return isDelivered(delivery, time) ? 'finished' : 'booked'
}

const DAY = 86_400_000

/** The data knows days; each stands for its noon, UTC (guarantee X2), which is the same day in nearly every zone. */
function noonOf(day: number): number {
  return (day + 0.5) * DAY
}

/** A DateWithTime: `2006-06-02T12:00:00Z`. */
function noonText(day: number): string {
  return `${formatInstant(noonOf(day)).slice(0, 19)}Z`
}
