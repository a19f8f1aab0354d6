import type { Course, Scenario } from './scenario.ts'
import { HOUR } from './time.ts'
import { pagesOf, type Policy, type Read } from './run-policy.ts'

/** Every page and the tracking of every shipment that `isSwept`, one after the other and then again. */
export function uniformSweep(scenario: Scenario, isSwept: (course: Course, at: number) => boolean): Policy {
  const reads = sweepForEver(scenario, isSwept)
  reads.next(scenario.startAt)
  return { next: (at) => reads.next(at).value }
}

/** Is given the time, gives the next read. */
function* sweepForEver(
  scenario: Scenario,
  isSwept: (course: Course, at: number) => boolean,
): Generator<Read, never, number> {
  let at = yield { kind: 'page', page: 0 }
  for (;;) {
    for (let page = 0; page < pagesOf(scenario, at); page += 1) at = yield { kind: 'page', page }
    for (const course of scenario.listAt(at)) if (isSwept(course, at)) at = yield { kind: 'tracking', course }
  }
}

export function isLive({ bornAt, closedAt }: Course, at: number): boolean {
  return bornAt <= at && at < closedAt
}

/** What is live and what the sweep has still to see the end of. */
export function isTracked(course: Course, at: number): boolean {
  return isLive(course, at) || (at >= course.closedAt && at < course.closedAt + HOUR)
}
