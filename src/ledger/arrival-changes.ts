import { COUNTED_MS } from '../model/reliability.ts'
import { type Arrival, countedArrival, type CountedArrival, packed, unpacked } from './arrivals.ts'

/** The arrivals of one carrier on one lane, which are counted together. */
interface SumKey {
  readonly carrier: string
  readonly lane: string
}

export interface ArrivalSum extends SumKey {
  readonly arrivals: string
  /** When the last of them came; 0: there are none. */
  readonly newest: number
}

export interface KnownArrival extends Arrival {
  readonly shipment: string
}

/** What becomes of a shipment: its arrival, or null where it has none that counts. */
export interface FoundArrival {
  readonly shipment: string
  readonly arrival: Arrival | null
}

interface Move extends SumKey {
  readonly gone: CountedArrival[]
  readonly added: CountedArrival[]
}

/** What arrivals that were looked at anew change. */
export interface ArrivalChanges {
  readonly gone: readonly string[]
  readonly saved: readonly KnownArrival[]
  readonly moves: readonly Move[]
}

/** What of shipments that were looked at is another arrival than the one that is known: what is the same writes nothing. */
export function arrivalChanges(known: readonly KnownArrival[], found: readonly FoundArrival[]): ArrivalChanges {
  const before = new Map(known.map((each) => [each.shipment, each]))
  const changed = found.filter(({ arrival, shipment }) => !isSame(before.get(shipment) ?? null, arrival))
  const moves = new Map<string, Move>()
  const moveOf = ({ carrier, lane }: SumKey): Move => {
    const name = JSON.stringify([carrier, lane])
    const move = moves.get(name) ?? { carrier, lane, gone: [], added: [] }
    moves.set(name, move)
    return move
  }
  for (const { arrival, shipment } of changed) {
    const old = before.get(shipment)
    if (old !== undefined) moveOf(old).gone.push(countedArrival(old))
    if (arrival !== null) moveOf(arrival).added.push(countedArrival(arrival))
  }
  return {
    gone: changed.flatMap(({ arrival, shipment }) => (arrival === null ? [shipment] : [])),
    saved: changed.flatMap(({ arrival, shipment }) => (arrival === null ? [] : [{ shipment, ...arrival }])),
    moves: [...moves.values()],
  }
}

function isSame(one: Arrival | null, other: Arrival | null): boolean {
  return JSON.stringify(one && valuesOf(one)) === JSON.stringify(other && valuesOf(other))
}

function valuesOf({ arrivedAt, carrier, lane, recordedAt, told }: Arrival) {
  return [carrier, lane, arrivedAt, recordedAt, told.map(({ at, date }) => [date, at])]
}

/** A sum once arrivals moved, without those that count no more at `at`. `arrivals`: what it was made of. */
export function sumAfter(arrivals: string | undefined, { added, carrier, gone, lane }: Move, at: number): ArrivalSum {
  const left = [...(arrivals === undefined ? [] : unpacked(arrivals)), ...added]
  for (const each of gone) {
    const place = left.findIndex((other) => isSameCounted(each, other))
    if (place !== -1) left.splice(place, 1)
  }
  const from = countedFrom(at) / 60_000
  const counted = left.filter(({ minute }) => minute >= from)
  const newest = counted.reduce((latest, { minute }) => Math.max(latest, minute * 60_000), 0)
  return { carrier, lane, arrivals: packed(counted), newest }
}

/** Arrivals before this instant count no more at `at`, nor at any instant that a clock may go back to by a day. */
export function countedFrom(at: number): number {
  return at - COUNTED_MS - 86_400_000
}

function isSameCounted(one: CountedArrival, other: CountedArrival): boolean {
  return (
    one.minute === other.minute &&
    one.driftMinutes === other.driftMinutes &&
    one.isNearFirst === other.isNearFirst &&
    one.isNearLast === other.isNearLast
  )
}
