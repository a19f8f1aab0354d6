import type { JsonObject } from './json.ts'
import { laneKey } from './lane.ts'
import { outlineOf } from './record-outline.ts'
import { type DateText, instantOf } from './told-dates.ts'

/** A date that was told of an arrival, and when. */
export interface ArrivalTelling {
  readonly date: number
  readonly at: number
}

/** One value of an arrival date. */
interface ArrivalValue extends DateText {
  readonly seenAt: number | null
  /** When the event that reported it rang; null: it was learnt in silence. */
  readonly toldAt: number | null
}

export interface ToldArrival {
  /** Null: it is still to come. */
  readonly actual: { readonly arrivedAt: number; readonly recordedAt: number } | null
  /** What events told of it while it was still to come, earliest first. */
  readonly told: readonly ArrivalTelling[]
}

/**
 * What the values of an arrival date (earliest first) say. Told is what an event reported: what was learnt in silence, as at the
 * baseline, is not. Of an actual that is corrected the last value counts, and its first knowledge; one that is taken back is none.
 */
export function toldArrival(values: readonly ArrivalValue[]): ToldArrival {
  const [last, place] = [values.at(-1), values.findLastIndex(({ status }) => status !== 'actual')]
  const told = values.slice(0, place + 1).flatMap((value) => {
    const date = instantOf(value)
    return date === null || value.toldAt === null || value.status === 'actual' ? [] : [{ date, at: value.toldAt }]
  })
  const arrivedAt = last?.status === 'actual' ? instantOf(last) : null
  if (arrivedAt === null) return { actual: null, told }
  const recordedAt = values[place + 1]?.seenAt ?? Math.max(arrivedAt, told.at(-1)?.at ?? arrivedAt)
  return { actual: { arrivedAt, recordedAt }, told }
}

/** What arrivals are counted by; empty where a shipment names none. */
export interface ArrivalKeys {
  readonly carrier: string
  /** UN/LOCODEs of the ports, `CNSHA-NLRTM`. */
  readonly lane: string
}

/** Names are cut: they stand in keys of indexes, whose entries are short. */
const LONGEST_KEY = 80

export function arrivalKeys(shipment: JsonObject | null): ArrivalKeys {
  const { carrier, lane } = outlineOf('shipment', shipment)
  return { carrier: keyOf(carrier), lane: keyOf(lane === null ? null : laneKey(lane)) }
}

/** A name without space at its ends. */
function keyOf(name: string | null): string {
  return (name ?? '').trim().slice(0, LONGEST_KEY).toWellFormed()
}
