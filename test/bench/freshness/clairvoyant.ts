import { AFTER_CLOSED, EVERY, PAGE, SLOT } from './budget.ts'
import type { Urgency } from './expected-delay.ts'
import type { Course, Scenario } from './scenario.ts'
import { pagesOf, type Policy, type Read } from './run-policy.ts'
import { HOUR } from './time.ts'

export interface Foresight {
  readonly urgency: Urgency
  /** Whether a change in a row has its tracking read next. */
  readonly followsSignals: boolean
}

/** Expected changes a day of a unit, as of the last look. */
interface Tracked {
  readonly course: Course
  readAt: number
  readonly alone: number
  readonly shared: number
  readonly page: number
}

/** A due item is served this early, so that a pass over the list cannot make it late. */
const MARGIN = 20 * SLOT

/** The greedy rule with the true rates; the same promises are kept first. */
export class Clairvoyant implements Policy {
  readonly #scenario: Scenario
  readonly #foresight: Foresight
  #pageReadAt: number[] = []
  #passAt: number
  #passLeft: number[] = []
  #signals: Course[] = []
  #lookedAt = Number.NEGATIVE_INFINITY
  #pageRates: number[] = []
  #tracked: ReadonlyMap<Course, Tracked> = new Map()

  constructor(scenario: Scenario, foresight: Foresight) {
    this.#scenario = scenario
    this.#foresight = foresight
    this.#passAt = scenario.startAt
  }

  next(at: number): Read {
    if (at - this.#lookedAt >= HOUR) this.#look(at)
    const read = this.#promised(at) ?? this.#signalled() ?? this.#mostUrgent(at)
    if (read.kind === 'page') this.#pageReadAt[read.page] = at
    else this.#noteTracking(read.course, at)
    return read
  }

  learn(read: Read, _at: number, changed: readonly Course[]): void {
    if (read.kind === 'page' && this.#foresight.followsSignals) this.#signals.push(...changed)
  }

  #look(at: number): void {
    const { births, listAt, startAt } = this.#scenario
    this.#lookedAt = at
    const list = listAt(at)
    const tracked = new Map<Course, Tracked>()
    this.#pageRates = Array.from({ length: pagesOf(this.#scenario, at) }, (_, page) => (page === 0 ? births : 0))
    for (const [nth, course] of list.entries()) {
      const { listOnly, trackingOnly, both } = course.rates(at)
      const page = Math.floor(nth / PAGE)
      this.#pageRates[page] = (this.#pageRates[page] ?? 0) + listOnly + both
      this.#pageReadAt[page] ??= startAt
      if (at >= course.closedAt + AFTER_CLOSED) continue
      const readAt = this.#tracked.get(course)?.readAt ?? Math.max(startAt, course.bornAt)
      tracked.set(course, { course, readAt, alone: trackingOnly, shared: both, page })
    }
    this.#tracked = tracked
  }

  #promised(at: number): Read | null {
    if (at >= this.#passAt) {
      this.#passAt = at + EVERY.list
      this.#passLeft = this.#pageRates.map((_, page) => page)
    }
    const page = this.#passLeft.shift()
    if (page !== undefined) return { kind: 'page', page }
    const dueBefore = at - EVERY.tracking + MARGIN
    let oldest: Tracked | null = null
    for (const tracked of this.#tracked.values()) {
      if (tracked.readAt <= dueBefore && (oldest === null || tracked.readAt < oldest.readAt)) oldest = tracked
    }
    return oldest === null ? null : { kind: 'tracking', course: oldest.course }
  }

  #signalled(): Read | null {
    const course = this.#signals.shift()
    return course === undefined ? null : { kind: 'tracking', course }
  }

  #mostUrgent(at: number): Read {
    const { urgency } = this.#foresight
    let [most, best]: [number, Read] = [-1, { kind: 'page', page: 0 }]
    for (const [page, rate] of this.#pageRates.entries()) {
      const value = rate * urgency(this.#pageReadAt[page] ?? at, at)
      if (value > most) [most, best] = [value, { kind: 'page', page }]
    }
    for (const { course, readAt, alone, shared, page } of this.#tracked.values()) {
      const sharedSince = Math.max(readAt, this.#pageReadAt[page] ?? readAt)
      const value = alone * urgency(readAt, at) + (shared === 0 ? 0 : shared * urgency(sharedSince, at))
      if (value > most) [most, best] = [value, { kind: 'tracking', course }]
    }
    return best
  }

  #noteTracking(course: Course, at: number): void {
    const tracked = this.#tracked.get(course)
    if (tracked !== undefined) tracked.readAt = at
  }
}
