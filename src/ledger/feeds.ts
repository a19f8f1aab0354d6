import { bornAt } from '../model/delivery-id.ts'
import type { DeliveryState } from '../model/delivery.ts'

/** A row of a feed, as far as it is looked at from where the last look ended. */
export interface FeedRow {
  readonly ref: number
  readonly id: string
  readonly position: number
  readonly state: DeliveryState
  readonly next_attempt_at: number | null
}

/** How rows of a feed end. */
export type FeedEnding =
  /** Whoever reads the feed has all up to this number. */
  | { readonly kind: 'taken'; readonly position: number }
  /** Nobody took what was there for so long: what is older than the instant. */
  | { readonly kind: 'kept too long'; readonly before: number }

interface Walked<Row> {
  /** Rows that end. */
  readonly ended: readonly Row[]
  /** Every row up to this number has ended then. */
  readonly to: number
  /** Whether a row that stays open was met. */
  readonly isStopped: boolean
}

/**
 * Goes along rows in the order of their numbers, from behind `from`, up to where every row has ended, until one stays open. `ending`: how open
 * rows that it meets end; null: none does.
 */
export function walkFeed<Row extends FeedRow>(
  rows: readonly Row[],
  from: number,
  ending: FeedEnding | null,
): Walked<Row> {
  const stop = rows.findIndex((row) => isOpenRow(row) && !(ending !== null && ends(row, ending)))
  const walked = stop === -1 ? rows : rows.slice(0, stop)
  return {
    ended: walked.filter(isOpenRow),
    to: Math.max(from, walked.at(-1)?.position ?? from),
    isStopped: stop !== -1,
  }
}

export function isOpenRow({ state }: Pick<FeedRow, 'state'>): boolean {
  return state === 'pending' || state === 'held'
}

function ends(row: FeedRow, ending: FeedEnding): boolean {
  if (ending.kind === 'taken') return row.position <= ending.position
  return Math.max(bornAt(row.id), row.next_attempt_at ?? 0) < ending.before
}

/** The state of rows that end so. */
export function stateOfEnded({ kind }: FeedEnding): 'delivered' | 'exhausted' {
  return kind === 'taken' ? 'delivered' : 'exhausted'
}

/** Up to where every row has ended once a row with this number is open again. */
export function endedBefore(ended: number, reopened: number | null): number {
  return reopened === null ? ended : Math.min(ended, reopened - 1)
}
