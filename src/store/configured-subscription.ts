import type { DeliveryOrder } from '../model/subscription.ts'

/** What a store has to know of a subscription in the file. */
export interface ConfiguredSubscription {
  readonly name: string
  readonly enabled: boolean
  /** Left out: `none`. */
  readonly order?: DeliveryOrder
  /** null or left out: none. */
  readonly minShiftMs?: number | null
}
