import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import { timelineOf, type Entry, type Timeline } from './timeline.ts'
import { HOUR, toGrain, type Pace } from './pace.ts'

/** A date of `main_tracking_dates`; the instant is milliseconds since the Unix epoch. */
export interface MilestoneDate {
  readonly instant: number
  readonly status: 'planned' | 'estimated' | 'actual' | 'problem'
}

type PerMilestone<T> = Record<Milestone, T>

/**
 * Writes the four milestone timelines of one shipment, in the order of time. Keeps that, at every moment, each milestone
 * is at least `gap` after the one before it, whatever is moved.
 */
export class CourseLog {
  readonly #pace: Pace
  readonly #entries: PerMilestone<Entry<MilestoneDate>[]> = { pickup: [], departure: [], arrival: [], delivery: [] }
  readonly #current: PerMilestone<MilestoneDate>

  constructor(pace: Pace, at: number, planned: Readonly<PerMilestone<number>>) {
    this.#pace = pace
    const plan = (milestone: Milestone): MilestoneDate => ({ instant: planned[milestone], status: 'planned' })
    this.#current = {
      pickup: plan('pickup'),
      departure: plan('departure'),
      arrival: plan('arrival'),
      delivery: plan('delivery'),
    }
    for (const milestone of MILESTONES) this.#write(at, milestone)
  }

  dateOf(milestone: Milestone): MilestoneDate {
    return this.#current[milestone]
  }

  /** The carrier's dates take the place of the planned ones. */
  confirm(at: number): void {
    for (const milestone of MILESTONES) {
      this.#current[milestone] = { ...this.#current[milestone], status: 'estimated' }
      this.#write(at, milestone)
    }
  }

  /** Moves a milestone to an instant; later ones are carried along by the same shift, as estimates. */
  move(at: number, milestone: Milestone, to: MilestoneDate): void {
    const shift = to.instant - this.#current[milestone].instant
    this.#set(at, milestone, to)
    let previous = to.instant
    for (const next of MILESTONES.slice(MILESTONES.indexOf(milestone) + 1)) {
      const carried = toGrain(this.#current[next].instant + shift, this.#pace.grain)
      const instant = Math.max(carried, this.#earliestAfter(previous))
      this.#set(at, next, { instant, status: this.#current[next].status })
      previous = instant
    }
  }

  /** Changes one milestone; later ones move only where they would come too close. */
  settle(at: number, milestone: Milestone, to: MilestoneDate): void {
    this.#set(at, milestone, to)
    const next = MILESTONES[MILESTONES.indexOf(milestone) + 1]
    if (next === undefined) return
    const earliest = this.#earliestAfter(to.instant)
    if (this.#current[next].instant < earliest) {
      this.move(at, next, { instant: earliest, status: this.#current[next].status })
    }
  }

  timelines(): Readonly<PerMilestone<Timeline<MilestoneDate>>> {
    const line = (milestone: Milestone): Timeline<MilestoneDate> =>
      timelineOf(this.#entries[milestone], (a, b) => a.instant === b.instant && a.status === b.status)
    return {
      pickup: line('pickup'),
      departure: line('departure'),
      arrival: line('arrival'),
      delivery: line('delivery'),
    }
  }

  /** Two gaps: an actual may still come one gap later than its estimate without touching the next milestone. */
  #earliestAfter(instant: number): number {
    return toGrain(instant + 2 * this.#pace.gap * HOUR, this.#pace.grain)
  }

  #set(at: number, milestone: Milestone, to: MilestoneDate): void {
    this.#current[milestone] = to
    this.#write(at, milestone)
  }

  #write(at: number, milestone: Milestone): void {
    this.#entries[milestone].push({ at, value: this.#current[milestone] })
  }
}
