import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'

/** `status` of a life's shipment at a moment; null before it is drafted. */
export function shipmentStatus(life: Life, time: number): string | null {
  return time >= life.cancelledAt ? 'cancelled' : (valueAt(life.status, time) ?? null)
}
