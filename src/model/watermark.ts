import type { DeliveryPlace } from './delivery-place.ts'
import type { ShipbellEvent } from './event.ts'
import { formatInstant, formatInstantOrNull } from './instant.ts'
import type { Watchable } from './resource.ts'

/** How far a subscription is complete. */
interface Watermark extends DeliveryPlace {
  /** Each delivery up to this position has ended. */
  readonly completeThrough: number
}

/** How far what is read of an account was read. */
export interface ReadThrough {
  readonly account: string
  readonly resource: Watchable
  /** When the last complete pass was begun; of items when the one was read that waited longest; null: nothing was read whole yet. */
  readonly readAt: number | null
}

interface WatermarkInput extends Watermark {
  /** `wm_…` */
  readonly id: string
  readonly subscription: string
  readonly at: number
  /** Null: they are left out, because they would be too large. */
  readonly resources: readonly ReadThrough[] | null
}

/** `shipbell.watermark`: no event of the log, but sent as one. */
export function watermarkEvent(input: WatermarkInput): ShipbellEvent {
  const { at, completeThrough, id, position, resources, series, subscription } = input
  const read = resources?.map(({ account, readAt, resource }) => ({
    account,
    resource,
    read_at: formatInstantOrNull(readAt),
  }))
  return {
    id,
    type: 'shipbell.watermark',
    account: null,
    sequence: 0,
    subject: { resource: 'subscription', id: subscription, version: 1, previousEventId: null },
    timestamp: at,
    observed: null,
    cause: 'watermark',
    object: null,
    before: null,
    changes: null,
    shipment: null,
    extras: {
      at: formatInstant(at),
      series,
      position,
      complete_through: completeThrough,
      ...(read !== undefined && { resources: read }),
    },
  }
}
