import type { RecordResource } from './resource.ts'

/**
 * What polling learnt of an account: how often what it reads changes, and when in the week. It decides what is read next and
 * no event: losing it costs freshness only.
 */
export interface Learnt {
  readonly units: readonly LearntUnit[]
  /** When in the week changes come; null: nothing is learnt yet. */
  readonly profile: ActivityCounts | null
}

export interface LearntUnit {
  readonly resource: RecordResource
  /** `page`: the rows of a list from a `skip` on; `item`: what is read by id; `kind`: all that change alike. */
  readonly what: 'page' | 'item' | 'kind'
  /** The `skip` as text, the id, or the name of the kind. */
  readonly name: string
  /** How many rows of each kind a page held; empty for other targets. */
  readonly mix: Readonly<Record<string, number>>
  readonly activity: Activity
}

/** What is learnt anew, and what is read no more. */
export interface LearntNews extends Learnt {
  readonly gone: readonly Pick<LearntUnit, 'resource' | 'what' | 'name'>[]
}

/** Changes seen of something, beside those expected of its kind; older ones count less. */
export interface Activity {
  readonly changes: number
  readonly expected: number
  /** Up to when. */
  readonly at: number
}

/** Changes seen by hour of the day and by day of the week, both of UTC and in the order of Unix time; older ones count less. */
export interface ActivityCounts {
  readonly hours: readonly number[]
  readonly days: readonly number[]
  readonly at: number
}
