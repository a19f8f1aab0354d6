import type { Resource } from './facts.ts'

/** A request that came to nothing. */
export interface Fault {
  readonly resource: Resource
  /** What was fetched; null: a list. */
  readonly id: string | null
  /** Whether it counts as a failure: being throttled does not. */
  readonly isFinal: boolean
}
