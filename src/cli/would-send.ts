import type { Delivery, DeliveryState } from '../model/delivery.ts'

/** A row of the ledger, or one that is still to be made: that has no id and no state yet. */
export type WouldSend = Omit<Delivery, 'id' | 'state'> & {
  readonly id: string | null
  readonly state: DeliveryState | null
}
