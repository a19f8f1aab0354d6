import type { ShipbellEvent } from '../model/event.ts'
import type { ShipmentSummary } from '../model/shipment.ts'
import type { ClaimedDelivery, WaitingDelivery } from '../store/ports/delivery-port.ts'

/** What is sent in one attempt: one delivery, or several in one message. All of one subscription, oldest first. */
export type Batch<D extends WaitingDelivery = ClaimedDelivery> = readonly [D, ...D[]]

/** A delivery, as far as it decides which message tells it. */
export interface TellableDelivery extends WaitingDelivery {
  readonly event: Pick<ShipbellEvent, 'account' | 'cause' | 'sequence'> & {
    readonly subject: Pick<ShipbellEvent['subject'], 'resource' | 'id'>
    readonly shipment: Pick<ShipmentSummary, 'id'> | null
  }
}

/** How a channel puts what waits for it into batches. */
export interface BatchPolicy {
  /** The most deliveries that it wants to see at once. */
  readonly most: number
  /** `waiting` are all of one subscription, oldest first. What is in no batch waits. */
  readonly form: <D extends WaitingDelivery>(waiting: readonly D[], at: BatchTime) => FormedBatches<D>
}

export interface BatchTime {
  /** By the wall clock, as what comes of it. */
  readonly now: number
  /** Whether the rows were asked for by command: nothing waits to be gathered. */
  readonly forced: boolean
}

export interface FormedBatches<D extends WaitingDelivery> {
  readonly batches: readonly Batch<D>[]
  /** The instant at which there is something to do about the rest; null: when a place is free. */
  readonly waitUntil: number | null
  /**
   * Of the rest, what is not due before an instant (a digest's hour, the end of quiet hours). The ledger shows that, and a
   * command makes it due earlier.
   */
  readonly deferred?: readonly { readonly deliveries: readonly D[]; readonly until: number }[]
}

/** Each delivery is an attempt of its own. */
export const ONE_BY_ONE: BatchPolicy = {
  most: 1,
  form: (waiting) => ({ batches: waiting.map((delivery) => [delivery]), waitUntil: null }),
}

/** The most shipments and other records that are told of together in a message each; more of them are one message. */
export const MOST_SINGLE = 5

/** Longer than between two pages of a pass. */
const QUIET_MS = 5_000
const LONGEST_WAIT_MS = 60_000

/** When events that came at these instants are sent: once nothing has come for a while, or the first has waited for long enough. */
export function gatheredAt(times: readonly number[]): number {
  return Math.min(Math.max(...times) + QUIET_MS, Math.min(...times) + LONGEST_WAIT_MS)
}

/** Deliveries by the shipment, its tracking with it, or other record that they are about, each a batch; a test is one by itself. */
export function bySubject<D extends WaitingDelivery>(deliveries: readonly D[]): readonly Batch<D>[] {
  const groups = Map.groupBy(deliveries, ({ event: { account, cause, subject }, id }) => {
    const resource = subject.resource === 'tracking' ? 'shipment' : subject.resource
    return cause === 'test' ? id : JSON.stringify([account, resource, subject.id])
  })
  return [...groups.values()].flatMap(([first, ...rest]): readonly Batch<D>[] =>
    first === undefined ? [] : [[first, ...rest]],
  )
}
