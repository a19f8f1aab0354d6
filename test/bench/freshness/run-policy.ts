import { LATENCY, PAGE, SLOT } from './budget.ts'
import type { Course, Scenario } from './scenario.ts'
import { Sightings } from './sightings.ts'

/** One request. */
export type Read =
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'tracking'; readonly course: Course }

export interface Policy {
  /** What to read at an instant. */
  next(at: number, sightings: Sightings): Read
  /** Told what a read showed: how many changes that no earlier read of the unit had, by course. */
  learn?(read: Read, at: number, changed: readonly Course[]): void
}

/** A policy that spends the whole budget, evenly spaced, against the platform's answers but without a store. */
export function runPolicy(scenario: Scenario, policy: Policy): Sightings {
  const sightings = new Sightings(scenario)
  for (let at = scenario.startAt; at + LATENCY < scenario.endAt; at += SLOT) {
    const read = policy.next(at, sightings)
    const answer = { at: at + LATENCY / 2, answeredAt: at + LATENCY }
    const changed: Course[] = []
    for (const course of coursesOf(scenario, read, answer.at)) {
      const channel = read.kind === 'page' ? 'list' : 'tracking'
      const before = sightings.shown(course, channel)
      if (sightings.show(course, channel, answer) > before) changed.push(course)
    }
    policy.learn?.(read, answer.answeredAt, changed)
  }
  sightings.end()
  return sightings
}

function coursesOf({ listAt }: Scenario, read: Read, at: number): readonly Course[] {
  return read.kind === 'tracking' ? [read.course] : listAt(at).slice(read.page * PAGE, (read.page + 1) * PAGE)
}

export function pagesOf({ listAt }: Scenario, at: number): number {
  return Math.ceil(listAt(at).length / PAGE)
}
