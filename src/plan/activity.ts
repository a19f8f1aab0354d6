import type { Activity } from '../model/learnt.ts'

export interface Observation {
  /** Changes that were expected since `Activity.at` by the rates of its kind. */
  readonly expected: number
  readonly changes: number
  readonly until: number
}

/** What was lively two months ago says little. */
const HALF_LIFE_MS = 20 * 86_400_000
/** Things of one kind differ much: the liveliest sixth changes some three times as often as the middle one. */
const PRIOR = 0.7

export function noActivity(at: number): Activity {
  return { changes: 0, expected: 0, at }
}

/**
 * What was learnt with everything up to `until`; both sides are forgotten alike, and at one time no more than half: of years
 * between two looks nothing was seen, or a clock leapt over them.
 */
export function observe(activity: Activity, { expected, changes, until }: Observation): Activity {
  const elapsed = Math.max(0, until - activity.at)
  const kept = 2 ** -Math.min(elapsed / HALF_LIFE_MS, 1)
  return {
    changes: activity.changes * kept + changes,
    expected: activity.expected * kept + expected,
    at: activity.at + elapsed,
  }
}

/**
 * How many times as lively as its kind something is: Gamma-Poisson with exposure counted in expected changes, so that what was
 * learnt in one phase says how lively it is in the next. `surprise`: how many times as lively its kind has proved as was
 * expected of it. `prior`: how many expected changes the knowledge of its kind weighs.
 */
export function liveliness(activity: Activity, surprise: number, prior = PRIOR): number {
  return (prior + activity.changes) / (prior + surprise * activity.expected)
}

/** A read that was due for more changes than this says no more than that there was one. */
const MOST_TAUGHT = 0.8

/**
 * What a read teaches that shows a change where `expected` were expected since the read before: it only says "at least one"
 * (censored exposure; Cho and Garcia-Molina, "Estimating frequency of change", 2003), and the longer ago that read, the less.
 * `likely`: the same by what was learnt. Neither counts beyond a bound, or what changes between all its reads would seem to change
 * ever more often.
 */
export function changeShown(expected: number, likely = expected): Pick<Observation, 'expected' | 'changes'> {
  const taught = Math.min(expected, MOST_TAUGHT)
  return { expected: taught, changes: changesBehind(Math.max(taught, Math.min(likely, MOST_TAUGHT))) }
}

/** How many there were where at least one was. */
function changesBehind(expected: number): number {
  return expected < 1e-6 ? 1 : expected / -Math.expm1(-expected)
}
