import { parseInstant } from './instant.ts'
import { invoiceStanding } from './invoice.ts'
import { readDay } from './iso-time.ts'
import { field, type JsonObject } from './json.ts'
import type { RecordState } from './record-state.ts'
import { isClosed, trackingInstant, trackingStatus } from './shipment.ts'

/** How a record stands in lists: open, or how it ended. A number, because rows are kept by it. */
export const ENDINGS = { open: 0, delivered: 1, over: 2, removed: 3 } as const
export type Ending = (typeof ENDINGS)[keyof typeof ENDINGS]

/** Stands in place of an `Ending` in rows of earlier versions, of which it was not derived yet. */
export const UNLISTED = -1

/** Stands in place of a date or a drift that a record could have and has not: behind all that there are. */
export const NO_VALUE = Number.MAX_SAFE_INTEGER

/** What lists of records are sorted and narrowed by, beside their outline. */
export interface RecordListing {
  readonly ending: Ending
  /** When a shipment arrives, or an order is expected to be delivered (an instant), or `NO_VALUE`; null of anything else. */
  readonly etaAt: number | null
  /** Minutes from the first value of that date, or from what an order desires, to the one of now, or `NO_VALUE`; null likewise. */
  readonly drift: number | null
}

const MINUTE_MS = 60_000
const UNDATED = { etaAt: null, drift: null }

export function listingOf({ memory, removedAt, resource, seen }: ListedState): RecordListing {
  const ending = removedAt !== null ? ENDINGS.removed : endingOf({ memory, resource, seen })
  if (resource === 'shipment') return { ending, ...shipmentDates(seen, memory) }
  return resource === 'purchase_order' ? { ending, ...orderDates(seen, memory) } : { ending, ...UNDATED }
}

type ListedState = Pick<RecordState, 'memory' | 'removedAt' | 'resource' | 'seen'>

function endingOf({ memory, resource, seen }: Omit<ListedState, 'removedAt'>): Ending {
  if (seen === null) return ENDINGS.open
  if (resource === 'shipment' && isClosed(seen)) return ENDINGS.over
  if (resource === 'shipment') return trackingStatus(seen, 'delivery') === 'actual' ? ENDINGS.delivered : ENDINGS.open
  if (resource === 'invoice') return invoiceStanding(seen) === 'settled' ? ENDINGS.over : ENDINGS.open
  return resource === 'purchase_order' && memory.fate?.delivered === true ? ENDINGS.over : ENDINGS.open
}

function shipmentDates(seen: JsonObject | null, { milestones }: RecordState['memory']) {
  const etaAt = trackingInstant(seen, 'arrival')
  return datesOf(etaAt, parseInstant(milestones?.arrival?.first.date) ?? etaAt)
}

function orderDates(seen: JsonObject | null, { fate }: RecordState['memory']) {
  const desired = seen === null ? null : readDay(field(seen, 'desired_delivery_date'))
  return datesOf(parseInstant(fate?.expected?.date), desired === null ? null : Date.parse(desired))
}

function datesOf(etaAt: number | null, from: number | null): Omit<RecordListing, 'ending'> {
  if (etaAt === null) return { etaAt: NO_VALUE, drift: NO_VALUE }
  return { etaAt, drift: from === null ? NO_VALUE : Math.round((etaAt - from) / MINUTE_MS) + 0 }
}

/** The endings that records of a status may have; all of them where no status is asked for. */
export function endingsOf(
  resource: RecordState['resource'],
  { open, status }: { readonly open?: boolean | undefined; readonly status?: string | undefined },
): readonly Ending[] {
  return Object.values(ENDINGS).filter((ending) => {
    if (open !== undefined && (ending === ENDINGS.open) !== open) return false
    return status === undefined || ending === ENDINGS.removed || mayHave(resource, ending, status)
  })
}

function mayHave(...[resource, ending, status]: readonly [RecordState['resource'], Ending, string]): boolean {
  if (resource !== 'shipment' && resource !== 'invoice') return true
  const isOver = resource === 'shipment' ? isClosed({ status }) : invoiceStanding({ status }) === 'settled'
  return (ending === ENDINGS.over) === isOver
}
