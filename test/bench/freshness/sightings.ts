import { Promises } from './promises.ts'
import type { Channel, Course, Scenario } from './scenario.ts'

/** What a read of one channel of a shipment has shown so far. */
interface Pointer {
  /** Changes that the channel shows and that a read has shown. */
  shown: number
  /** Index of the next change to look at. */
  next: number
  lastReadAt: number | null
}

export interface Delays {
  /** From each change to the answer that first showed any of it, milliseconds. */
  readonly first: readonly number[]
  /** To the answer after which all of it was known. */
  readonly whole: readonly number[]
  /** Changes that nothing has shown by the end; they count with the time until then. */
  readonly unseen: number
}

/** Which read was the first to show what: policies are compared by this alone. */
export class Sightings {
  readonly #scenario: Scenario
  readonly #pointers: Readonly<Record<Channel, Map<Course, Pointer>>> = { list: new Map(), tracking: new Map() }
  /** By change: answer that first showed it, and how many of its channels are known. */
  readonly #seen = new Map<object, { first: number; last: number; channels: number }>()
  readonly #births = new Map<Course, number>()
  readonly promises: Promises

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.promises = new Promises(scenario.countedFrom)
  }

  /** Notes a read that shows the channel as of `at` and was answered at `answeredAt`. Returns how many changes it shows, old and new. */
  show(course: Course, channel: Channel, read: { readonly at: number; readonly answeredAt: number }): number {
    const pointer = this.#pointer(course, channel)
    if (channel === 'list' && !this.#births.has(course)) this.#births.set(course, read.answeredAt)
    for (; pointer.next < course.changes.length; pointer.next += 1) {
      const change = course.changes[pointer.next]
      if (change === undefined || change.at > read.at) break
      if (!change.shows.includes(channel)) continue
      pointer.shown += 1
      const known = this.#seen.get(change)
      if (known === undefined) this.#seen.set(change, { first: read.answeredAt, last: read.answeredAt, channels: 1 })
      else Object.assign(known, { last: read.answeredAt, channels: known.channels + 1 })
    }
    this.#notePromise(course, channel, read.at)
    pointer.lastReadAt = read.at
    return pointer.shown
  }

  /** How many changes reads of a channel have shown. */
  shown(course: Course, channel: Channel): number {
    return this.#pointer(course, channel).shown
  }

  wasRead(course: Course, channel: Channel): boolean {
    return this.#pointer(course, channel).lastReadAt !== null
  }

  /** No more reads come: what is unread since its last one is so until the end. */
  end(): void {
    for (const course of this.#births.keys()) {
      this.#notePromise(course, 'list', this.#scenario.endAt)
      this.#notePromise(course, 'tracking', this.#scenario.endAt)
    }
  }

  /** How many changes that nothing has shown yet a read of a channel would show. */
  waiting(course: Course, channel: Channel, at: number): number {
    let waiting = channel === 'list' && !this.#births.has(course) ? 1 : 0
    for (let next = this.#pointer(course, channel).next; next < course.changes.length; next += 1) {
      const change = course.changes[next]
      if (change === undefined || change.at > at) break
      if (change.shows.includes(channel) && !this.#seen.has(change)) waiting += 1
    }
    return waiting
  }

  /** The changes and births of the time that is counted. */
  delays(): Delays {
    const { courses, countedFrom, endAt } = this.#scenario
    const isCounted = (at: number): boolean => at >= countedFrom && at < endAt
    const first: number[] = []
    const whole: number[] = []
    let unseen = 0
    for (const course of courses) {
      if (isCounted(course.bornAt)) {
        const delay = (this.#births.get(course) ?? endAt) - course.bornAt
        first.push(delay)
        whole.push(delay)
        if (!this.#births.has(course)) unseen += 1
      }
      for (const change of course.changes) {
        if (!isCounted(change.at)) continue
        const seen = this.#seen.get(change)
        first.push((seen?.first ?? endAt) - change.at)
        whole.push((seen?.channels === change.shows.length ? seen.last : endAt) - change.at)
        if (seen === undefined) unseen += 1
      }
    }
    return { first, whole, unseen }
  }

  /** Nobody can know of a shipment's tracking before the list shows the shipment. */
  #notePromise(course: Course, channel: Channel, to: number): void {
    const from = this.#pointer(course, channel).lastReadAt ?? this.#births.get(course)
    if (from !== undefined) this.promises.note(course, channel, { from, to })
  }

  #pointer(course: Course, channel: Channel): Pointer {
    const known = this.#pointers[channel].get(course)
    if (known !== undefined) return known
    const pointer = { shown: 0, next: 0, lastReadAt: null }
    this.#pointers[channel].set(course, pointer)
    return pointer
  }
}
