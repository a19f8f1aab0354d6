import type { Watchable } from '../model/resource.ts'

/** Something that only a person can put right. Texts may hold what a platform or a receiver said. */
export interface Need {
  readonly kind: NeedKind
  /** Whether `status` exits 1 for the need. The others are shown and can wait. */
  readonly urgent: boolean
  readonly account?: string
  readonly subscription?: string
  readonly resource?: Watchable
  /** One sentence. */
  readonly what: string
  /** One sentence, with the command in backquotes. */
  readonly remedy: string
  /** The page of the desk that shows it. */
  readonly page: string
}

export type NeedKind =
  | 'no_daemon'
  | 'rejected'
  | 'restart'
  | 'begun_anew'
  | 'stalled'
  | 'limit'
  | 'refused'
  | 'incomplete'
  | 'stale'
  | 'held'
  | 'disabled'
  | 'failing'
  | 'exhausted'
  | 'untaken'
  | 'late'
  | 'does_not_fit'
  | 'quarantined'
  | 'unjudged'
  | 'outdated'

/** An amount within the sentences of needs, as English writes it: `12,345`. */
export function englishAmount(amount: number): string {
  // What English knows of numbers takes 15 ms to load, and few amounts have separators.
  return amount < 1_000 ? String(amount) : amount.toLocaleString('en')
}
