import type { Rhythm } from './rhythm.ts'

/** What one request reads: a page of a list, or an item. */
export interface Unit {
  readonly key: string
  /** Changes expected in a millisecond of activity. */
  readonly rate: number
  /** How much a change here matters beside others. */
  readonly weight: number
  /** When its last read was sent. */
  readonly readAt: number
}

/** Rates that differ by less are taken for equal, so that those that were read first come first. */
const RATIO = Math.log(1.05)
/** A request that finds something less often than once in so many is not worth sending. */
const MOST_IN_VAIN = 2_000
/** Nothing is read again sooner of its own accord, however lively it is. */
const SHORTEST_GAP_MS = 5_000

/** How many reads in a millisecond something that changes so often is worth at most, whatever budget is left. */
export function mostReads(rate: number): number {
  return 1 / shortestGapMs(rate)
}

/** How long it waits between two reads at least. */
function shortestGapMs(rate: number): number {
  return Math.max(SHORTEST_GAP_MS, 1 / (rate * MOST_IN_VAIN))
}

/**
 * The units of an account, to be asked which of them is worth the next request: the one with the largest `weight · rate · τ²`,
 * where τ² is twice what `Rhythm.waited` says since its last read. For requests of equal cost this greedy rule attains the read frequencies
 * ∝ √(weight · rate) that minimise the mean delay between a change and its detection (Azar et al., PNAS 2018; Kolobov et al.,
 * 2019), whatever the budget. Units of one rate are a queue, so a choice looks at one unit for each rate, not at all.
 */
export class UnitQueue {
  /** By rate, each in the order of reading. */
  readonly #queues = new Map<number, Map<string, Unit>>()
  readonly #queueOf = new Map<string, number>()

  get size(): number {
    return this.#queueOf.size
  }

  get(key: string): Unit | undefined {
    const queue = this.#queueOf.get(key)
    return queue === undefined ? undefined : this.#queues.get(queue)?.get(key)
  }

  /** Adds a unit, or puts it where it belongs now: units of one rate are to be put in the order of their reads. */
  put(unit: Unit): void {
    this.remove(unit.key)
    if (unit.rate <= 0 || unit.weight <= 0) return
    const rate = Math.round(Math.log(unit.weight * unit.rate) / RATIO)
    const queue = this.#queues.get(rate) ?? new Map<string, Unit>()
    queue.set(unit.key, unit)
    this.#queues.set(rate, queue)
    this.#queueOf.set(unit.key, rate)
  }

  remove(key: string): void {
    const rate = this.#queueOf.get(key)
    if (rate === undefined) return
    this.#queueOf.delete(key)
    const queue = this.#queues.get(rate)
    queue?.delete(key)
    if (queue?.size === 0) this.#queues.delete(rate)
  }

  *[Symbol.iterator](): IterableIterator<Unit> {
    for (const queue of this.#queues.values()) yield* queue.values()
  }

  /** The unit that is worth the next request; null where none is. */
  best(now: number, rhythm: Rhythm): Unit | null {
    let best: Unit | null = null
    let most = 0
    for (const unit of this.#first()) {
      const { rate, readAt, weight } = unit
      const score = now - readAt < shortestGapMs(rate) ? 0 : weight * rate * rhythm.waited(readAt, now)
      if (score <= most) continue
      best = unit
      most = score
    }
    return best
  }

  /** When the first unit will be worth a request, as far as can be said; null: never. */
  nextAt(now: number): number | null {
    let next: number | null = null
    for (const { rate, readAt } of this.#first()) {
      const at = Math.ceil(readAt + shortestGapMs(rate))
      if (next === null || at < next) next = at
    }
    return next === null ? null : Math.max(next, now)
  }

  *#first(): IterableIterator<Unit> {
    for (const queue of this.#queues.values()) {
      const { value } = queue.values().next()
      if (value !== undefined) yield value
    }
  }
}
