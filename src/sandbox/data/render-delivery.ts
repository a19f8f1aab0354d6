import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../render/date-text.ts'
import type { Delivery } from './delivery.ts'
import { isDelivered, statusOf } from './delivery-standing.ts'
import { noonText } from './noon.ts'

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
