import type { Delivery } from './delivery.ts'
import { noonOf } from './noon.ts'

/** The data tells of no stage between the order and the delivery: a shipment is booked until its delivery is recorded. */
export function isDelivered({ delivered }: Delivery, time: number): boolean {
  return delivered !== null && time >= noonOf(delivered.recordedDay)
}

export function statusOf(delivery: Delivery, time: number): 'booked' | 'finished' {
  return isDelivered(delivery, time) ? 'finished' : 'booked'
}
