import type { Arrival, Delivery, DeliveryLine } from './delivery.ts'
import { earliest } from './earliest.ts'

/** One delivery per ASN/DN number, in the order in which the data first names them. */
export function collectDeliveries(lines: readonly DeliveryLine[]): readonly Delivery[] {
  return [...Map.groupBy(lines, ({ shipment }) => shipment)].map(([id, own]) => ({
    id,
    freightMode: firstKnown(own.map(({ freightMode }) => freightMode)),
    incoterm: firstKnown(own.map(({ incoterm }) => incoterm)),
    orders: [...new Set(known(own.map(({ order }) => order)))],
    scheduledDay: earliest(own.map(({ scheduledDay }) => scheduledDay)),
    delivered: arrivalOf(own),
    lines: own,
  }))
}

/** A shipment is delivered with the last of its lines; while one of them is not, it is not. */
function arrivalOf(lines: readonly DeliveryLine[]): Arrival | null {
  return lines.map(lineArrival).reduce((latest, next) =>
    latest === null || next === null
      ? null
      : {
          day: Math.max(latest.day, next.day),
          recordedDay: Math.max(latest.recordedDay, next.recordedDay),
        },
  )
}

function lineArrival({ deliveredDay, recordedDay }: DeliveryLine): Arrival | null {
  return deliveredDay === null || recordedDay === null ? null : { day: deliveredDay, recordedDay }
}

function known<T>(values: readonly (T | null)[]): readonly T[] {
  return values.filter((value) => value !== null)
}

function firstKnown<T>(values: readonly (T | null)[]): T | null {
  return known(values)[0] ?? null
}
