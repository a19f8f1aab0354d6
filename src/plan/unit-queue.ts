import type { ActivityProfile } from './activity-profile.ts'

/** What one request reads: a page of a list, or an item. */
export interface Unit {
  readonly key: string
  /** Changes expected in a millisecond of activity. */
  readonly rate: number
  /** How much a change here matters beside others. */
  readonly weight: number
  /** When the last read of the unit was sent. */
  readonly readAt: number
}

/** Rates that differ by less are taken for equal, so that those that were read first come first. */
const RATIO = Math.log(1.05)
/** A read that would find a change less than once in this many is skipped. */
const MOST_IN_VAIN = 2_000
/** No unit is read again sooner, however lively it is. */
const SHORTEST_GAP_MS = 5_000

const [RATE, WEIGHT, READ_AT, QUEUE, BEFORE, NEXT] = [0, 1, 2, 3, 4, 5]
const WIDTH = 6
/** No place. */
const NONE = -1

/** The places of the unit that waited longest, and of the one that was put last. */
interface Queue {
  readonly first: number
  readonly last: number
}

/** How many reads in a millisecond something that changes so often is worth at most, whatever budget is left. */
export function mostReads(rate: number): number {
  return 1 / shortestGapMs(rate)
}

/** How long a unit waits between two reads at least. */
function shortestGapMs(rate: number): number {
  return Math.max(SHORTEST_GAP_MS, 1 / (rate * MOST_IN_VAIN))
}

/**
 * The units of an account, to be asked which of them is worth the next request: the one with the largest `weight · rate · τ²`,
 * where τ² is twice what `ActivityProfile.waited` says since its last read. For requests of equal cost this greedy rule attains the read frequencies
 * ∝ √(weight · rate) that minimise the mean delay between a change and its detection (Azar et al., PNAS 2018; Kolobov et al.,
 * 2019), whatever the budget. Units of one rate are a queue, so a choice looks at one unit for each rate, not at all.
 */
export class UnitQueue {
  readonly #rows = new NumberRows(WIDTH)
  /** By rate, each a chain of places in the order of reading. */
  readonly #queues = new Map<number, Queue>()

  get size(): number {
    return this.#rows.size
  }

  get(key: string): Unit | undefined {
    const place = this.#rows.placeOf(key)
    return place === null ? undefined : this.#at(place)
  }

  /** Adds a unit, or puts it where it belongs now: units of one rate are to be put in the order of their reads. */
  put({ key, rate, readAt, weight }: Unit): void {
    if (rate <= 0 || weight <= 0) {
      this.remove(key)
      return
    }
    const rows = this.#rows
    const known = rows.placeOf(key)
    if (known !== null) this.#unchain(known)
    const place = known ?? rows.add(key)
    rows.set(place, RATE, rate)
    rows.set(place, WEIGHT, weight)
    rows.set(place, READ_AT, readAt)
    this.#chain(place, Math.round(Math.log(weight * rate) / RATIO))
  }

  remove(key: string): void {
    const place = this.#rows.placeOf(key)
    if (place === null) return
    this.#unchain(place)
    this.#rows.remove(key)
  }

  *[Symbol.iterator](): IterableIterator<Unit> {
    for (const { first } of this.#queues.values()) {
      for (let place = first; place !== NONE; place = this.#rows.get(place, NEXT)) yield this.#at(place)
    }
  }

  /** The unit that is worth the next request; null where none is. */
  best(now: number, profile: ActivityProfile): Unit | null {
    let best = NONE
    let most = 0
    for (const { first } of this.#queues.values()) {
      const rate = this.#rows.get(first, RATE)
      const readAt = this.#rows.get(first, READ_AT)
      if (now - readAt < shortestGapMs(rate)) continue
      const score = this.#rows.get(first, WEIGHT) * rate * profile.waited(readAt, now)
      if (score <= most) continue
      best = first
      most = score
    }
    return best === NONE ? null : this.#at(best)
  }

  /** When the first unit will be worth a request, as far as can be said; null: never. */
  nextAt(now: number): number | null {
    let next: number | null = null
    for (const { first } of this.#queues.values()) {
      const at = Math.ceil(this.#rows.get(first, READ_AT) + shortestGapMs(this.#rows.get(first, RATE)))
      if (next === null || at < next) next = at
    }
    return next === null ? null : Math.max(next, now)
  }

  #at(place: number): Unit {
    const rows = this.#rows
    return {
      key: rows.keyAt(place),
      rate: rows.get(place, RATE),
      weight: rows.get(place, WEIGHT),
      readAt: rows.get(place, READ_AT),
    }
  }

  /** Puts a unit at the end of the queue of its rate. */
  #chain(place: number, rate: number): void {
    const rows = this.#rows
    const { first, last } = this.#queues.get(rate) ?? { first: place, last: NONE }
    rows.set(place, QUEUE, rate)
    rows.set(place, BEFORE, last)
    rows.set(place, NEXT, NONE)
    if (last !== NONE) rows.set(last, NEXT, place)
    this.#queues.set(rate, { first, last: place })
  }

  #unchain(place: number): void {
    const rows = this.#rows
    const queue = rows.get(place, QUEUE)
    const before = rows.get(place, BEFORE)
    const next = rows.get(place, NEXT)
    if (before !== NONE) rows.set(before, NEXT, next)
    if (next !== NONE) rows.set(next, BEFORE, before)
    const { first, last } = this.#queues.get(queue) ?? { first: NONE, last: NONE }
    if (first === last) this.#queues.delete(queue)
    else this.#queues.set(queue, { first: before === NONE ? next : first, last: next === NONE ? before : last })
  }
}

const FIRST_ROWS = 8
const GROWTH = 1.5

/**
 * A row of numbers for each key, all in one array: an object for each would take five times the memory. A row keeps its place
 * until its key is removed, which then is another's; keys are listed in the order in which they were added.
 */
export class NumberRows {
  readonly #width: number
  readonly #places = new Map<string, number>()
  readonly #keys: string[] = []
  readonly #free: number[] = []
  #numbers: Float64Array

  constructor(width: number) {
    this.#width = width
    this.#numbers = new Float64Array(FIRST_ROWS * width)
  }

  get size(): number {
    return this.#places.size
  }

  get places(): Iterable<number> {
    return this.#places.values()
  }

  placeOf(key: string): number | null {
    return this.#places.get(key) ?? null
  }

  keyAt(place: number): string {
    return this.#keys[place] ?? ''
  }

  /** The place of a key that has none yet; its numbers are whatever was there before. */
  add(key: string): number {
    const place = this.#free.pop() ?? this.#keys.length
    if ((place + 1) * this.#width > this.#numbers.length) this.#grow()
    this.#keys[place] = key
    this.#places.set(key, place)
    return place
  }

  remove(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    this.#places.delete(key)
    this.#keys[place] = ''
    this.#free.push(place)
  }

  get(place: number, column: number): number {
    return this.#numbers[place * this.#width + column] ?? Number.NaN
  }

  set(place: number, column: number, number: number): void {
    this.#numbers[place * this.#width + column] = number
  }

  #grow(): void {
    const rows = Math.ceil((this.#numbers.length / this.#width) * GROWTH)
    const numbers = new Float64Array(rows * this.#width)
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }
}
