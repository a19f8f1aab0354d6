import type { JsonObject } from './json.ts'

/** Where a delivery stands among those of its subscription: they are numbered from 1 without a hole. */
export interface DeliveryPlace {
  /** What the numbers belong to. In another series they may be those of other deliveries. */
  readonly series: string
  readonly position: number
}

/** A delivery of a subscription that has a number. */
export interface PlacedDelivery extends DeliveryPlace {
  readonly subscription: string
}

/** `delivery` of a payload. */
export function deliveryMember({ position, series, subscription }: PlacedDelivery): JsonObject {
  return { subscription, series, position }
}

const POSITION_DIGITS = 16

/** `delivery` as attributes of CloudEvents, which have no parts; positions are in order as text. */
export function deliveryAttributes({
  position,
  series,
  subscription,
}: PlacedDelivery): Readonly<Record<string, string>> {
  return { subscription, series, position: position.toString().padStart(POSITION_DIGITS, '0') }
}

/** What `delivery` takes at most of a payload: names of subscriptions are short. */
export const LARGEST_DELIVERY_BYTES = 200
