import { ShipbellError } from '../../errors.ts'
import { strayDelivery } from '../../ledger/events.ts'

/** Throws `internal` for a delivery of an event outside its batch. */
export function refuseStray(batch: Parameters<typeof strayDelivery>[0]): void {
  const stray = strayDelivery(batch)
  if (stray === undefined) return
  const sentence = `A delivery to ${stray.subscription} names ${stray.eventId}, which is not in its batch.`
  throw new ShipbellError('internal', sentence)
}
