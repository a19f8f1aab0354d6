import type { ClaimedDelivery } from '../store/ports.ts'

/** What is sent in one attempt: one delivery, or several that are told together. All of one subscription, oldest first. */
export type Parcel = readonly [ClaimedDelivery, ...ClaimedDelivery[]]

/** How a channel puts what waits for it into parcels. */
export interface Packing {
  /** The most deliveries that it wants to see at once. */
  readonly most: number
  /** `waiting` are all of one subscription, oldest first. What is in no parcel waits. */
  readonly pack: (waiting: readonly ClaimedDelivery[], at: PackingTime) => Packed
}

export interface PackingTime {
  readonly now: number
  /** These were asked for by command: nothing waits to be gathered. */
  readonly forced: boolean
}

export interface Packed {
  readonly parcels: readonly Parcel[]
  /** Until when there is nothing to do about the rest; null: until a place is free. */
  readonly waitUntil: number | null
  /** Of the rest, what is not due before an instant after all. The ledger shows it, and a command makes it due earlier. */
  readonly deferred?: { readonly deliveries: readonly ClaimedDelivery[]; readonly until: number }
}

/** Each delivery is an attempt of its own. */
export const ONE_BY_ONE: Packing = {
  most: 1,
  pack: (waiting) => ({ parcels: waiting.map((delivery) => [delivery]), waitUntil: null }),
}
