import type { Config } from '../../config/config.ts'
import type { Look, Looking } from '../../serve/admin-context.ts'
import type { Readiness } from '../../serve/readiness.ts'

/** What only who polls knows. */
export interface DaemonFacts {
  readonly readiness: Readiness
  /** Requests that each account may send at once; null: it is not polled. */
  readonly budgetLeft: ReadonlyMap<string, number | null>
}

/** What the thread that serves is told. A configuration holds for what is asked after it. */
export type ToThread =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'look'; readonly id: number; readonly looking: Looking; readonly facts: DaemonFacts | null }

/** What the thread says. */
export type FromThread =
  | { readonly kind: 'look'; readonly id: number; readonly look: Look }
  /** A line of its log, as JSON: it has seen no secret that this process does not know. */
  | { readonly kind: 'logged'; readonly line: string }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string }
