import type { RecordState } from '../model/record-state.ts'
import type { Reliability } from '../model/reliability.ts'
import { type ArrivalKeys, arrivalKeys, type ArrivalTelling, toldArrival } from '../model/told-arrival.ts'
import { type DateRow, dateValues } from './dates.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Arrivals that became known so long ago are forgotten: windows of arrivals are made of newer ones. */
export const KEPT_MS = 730 * DAY_MS
/** A date that was told more often keeps its first value and the newest. */
const MOST_TOLD = 100

/** The arrival of a shipment of which a date was told before. */
export interface Arrival extends ArrivalKeys {
  readonly arrivedAt: number
  /** When the first answer that showed it as arrived had come. */
  readonly recordedAt: number
  /** Never empty. */
  readonly told: readonly ArrivalTelling[]
}

/**
 * The arrival of a shipment, from what is known of it now and the values that its arrival date had (newest first); null: it did not
 * arrive, or nobody was told a date before.
 */
export function arrivalOf(
  { memory, reported }: Pick<RecordState, 'memory' | 'reported'>,
  rows: readonly DateRow[],
): Arrival | null {
  const { actual, told } = toldArrival(dateValues({ memory, seen: reported }, 'arrival', rows))
  const [first] = told
  if (actual === null || first === undefined) return null
  const outermost = told.length > MOST_TOLD ? [first, ...told.slice(1 - MOST_TOLD)] : told
  return { ...arrivalKeys(reported), ...actual, told: outermost }
}

/** What sums have of one arrival. */
export interface CountedArrival {
  /** The minute, since the Unix epoch. */
  readonly minute: number
  /** How much later than the date that was told first it came, in minutes; negative: how much earlier. */
  readonly driftMinutes: number
  /** Whether it came within 24 hours of the date that was told first, and of the one that was told last. */
  readonly isNearFirst: boolean
  readonly isNearLast: boolean
}

export function countedArrival({ arrivedAt, told }: Pick<Arrival, 'arrivedAt' | 'told'>): CountedArrival {
  const [first, last] = [told[0]?.date ?? arrivedAt, told.at(-1)?.date ?? arrivedAt]
  return {
    minute: fit(Math.floor(arrivedAt / MINUTE_MS)),
    driftMinutes: fit(Math.round((arrivedAt - first) / MINUTE_MS) + 0),
    isNearFirst: Math.abs(arrivedAt - first) <= DAY_MS,
    isNearLast: Math.abs(arrivedAt - last) <= DAY_MS,
  }
}

const LARGEST = 2 ** 31 - 1

/** A whole number as 32 bits hold it: no date that is meant is cut. */
function fit(value: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, value))
}

const NUMBERS_EACH = 3
const [NEAR_FIRST, NEAR_LAST] = [1, 2]

/** The arrivals of a sum as one text: a hundred thousand of them are read within milliseconds. */
export function packed(arrivals: readonly CountedArrival[]): string {
  const numbers = Int32Array.from(
    arrivals.flatMap(({ driftMinutes, isNearFirst, isNearLast, minute }) => [
      minute,
      driftMinutes,
      (isNearFirst ? NEAR_FIRST : 0) + (isNearLast ? NEAR_LAST : 0),
    ]),
  )
  return Buffer.from(numbers.buffer).toString('base64')
}

export function unpacked(text: string): readonly CountedArrival[] {
  const numbers = numbersIn(text)
  return Array.from({ length: numbers.length / NUMBERS_EACH }, (_, nth) => {
    const [minute = 0, driftMinutes = 0, near = 0] = numbers.subarray(nth * NUMBERS_EACH, (nth + 1) * NUMBERS_EACH)
    return { minute, driftMinutes, isNearFirst: (near & NEAR_FIRST) !== 0, isNearLast: (near & NEAR_LAST) !== 0 }
  })
}

function numbersIn(text: string): Int32Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  return new Int32Array(buffer.slice(byteOffset, byteOffset + length))
}

interface Tally {
  nearFirst: number
  nearLast: number
  readonly drifts: number[]
}

/** What sums come to by key, of arrivals at or after an instant; keys of which there are none are left out, as is the empty one. */
export function reliabilityOf(
  sums: readonly { readonly key: string; readonly arrivals: string }[],
  since: number,
): readonly Reliability[] {
  const tallies = new Map<string, Tally>()
  for (const { arrivals, key } of sums) {
    const tally = tallies.get(key) ?? { nearFirst: 0, nearLast: 0, drifts: [] }
    tallies.set(key, tally)
    count(tally, numbersIn(arrivals), since / MINUTE_MS)
  }
  return [...tallies].flatMap(([key, { drifts, nearFirst, nearLast }]) =>
    key === '' || drifts.length === 0
      ? []
      : [{ key, n: drifts.length, nearFirst, nearLast, medianDriftMinutes: medianOf(drifts) }],
  )
}

function count(tally: Tally, numbers: Int32Array, sinceMinute: number): void {
  for (let place = 0; place < numbers.length; place += NUMBERS_EACH) {
    if ((numbers[place] ?? 0) < Math.floor(sinceMinute)) continue
    const near = numbers[place + 2] ?? 0
    tally.drifts.push(numbers[place + 1] ?? 0)
    if ((near & NEAR_FIRST) !== 0) tally.nearFirst += 1
    if ((near & NEAR_LAST) !== 0) tally.nearLast += 1
  }
}

/** The value in the middle; where two are, their mean. */
function medianOf(values: readonly number[]): number {
  const sorted = Int32Array.from(values).sort()
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}
