import type { LoggedEvent } from '../model/event.ts'

/** The newest events of records, without their documents. */
export interface RecentEvents {
  /** Newest first. */
  readonly events: readonly LoggedEvent[]
  /** Whether older ones were left out. */
  readonly isCut: boolean
}
