import { isAddressed, sequenceOf, type ShipbellEvent } from '../../../model/event.ts'
import type { LivingPlace } from '../../../model/living-message.ts'
import type { ClaimedDelivery } from '../../../store/ports/delivery-port.ts'
import { MOST_SINGLE, type Batch, type TellableDelivery } from '../../batches.ts'

/** The most events of an entry: the ids of so many fit into what a message of Slack carries beside its text. */
const MOST_OF_ENTRY = 50

/** Deliveries of a batch that one message tells. */
export interface Told<D extends TellableDelivery = ClaimedDelivery> {
  readonly batch: Batch<D>
  /** Where it is told; null: in a message of its own. */
  readonly place: LivingPlace | null
}

/**
 * What of a batch goes together: all of one shipment, each test by itself, and of what belongs to no shipment each by itself, or all
 * where they are many. In the order of the batch.
 */
export function toldTogether<D extends TellableDelivery>(batch: Batch<D>): readonly Told<D>[] {
  const groups = Map.groupBy(batch, (delivery) => {
    const place = placeOf(delivery)
    return place === null ? (isTest(delivery.event) ? delivery.id : '') : JSON.stringify(place)
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const place = first === undefined ? null : placeOf(first)
    const most = place !== null || group.length > MOST_SINGLE ? MOST_OF_ENTRY : 1
    return slices(place === null ? group : group.toSorted(bySequence), most).map((slice) => ({ batch: slice, place }))
  })
}

function slices<D extends TellableDelivery>(group: readonly D[], most: number): readonly Batch<D>[] {
  const [first, ...rest] = group.slice(0, most)
  return first === undefined ? [] : [[first, ...rest], ...slices(group.slice(most), most)]
}

/** Reminders have no place in the series: they come last. */
function bySequence({ event: a }: TellableDelivery, { event: b }: TellableDelivery): number {
  return (sequenceOf(a) ?? Infinity) - (sequenceOf(b) ?? Infinity) || 0
}

function placeOf({ event, subscription }: TellableDelivery): LivingPlace | null {
  const { account, shipment, subject } = event
  if (account === null || isTest(event)) return null
  const isOfShipment = subject.resource === 'shipment' || subject.resource === 'tracking'
  const id = shipment?.id ?? (isOfShipment ? subject.id : null)
  return id === null ? null : { subscription, account, shipment: id }
}

function isTest({ cause }: Pick<ShipbellEvent, 'cause'>): boolean {
  return cause === 'test'
}

/** The place of the newest of some events in the series of their account; 0: none of them has one. */
export function newestOf(batch: Batch): number {
  return Math.max(0, ...batch.map(({ event }) => (isAddressed(event) ? 0 : event.sequence)))
}

export function idsOf(batch: readonly ClaimedDelivery[]): readonly string[] {
  return batch.map(({ event }) => event.id)
}
