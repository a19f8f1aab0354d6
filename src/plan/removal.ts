import type { HeldPass, Hold } from '../model/hold.ts'

/** How many complete passes in a row must miss a record before a fetch by id may prove that it is gone. */
const MISSES_WITH_FETCH = 2
/** How many must miss it where no fetch by id ever worked (guarantee D6). */
const MISSES_WITHOUT_FETCH = 3
/**
 * How many must miss it where no fetch by id ever worked and rows moved while they were read, or could not be identified: such
 * a pass may miss what is there.
 */
const MISSES_WITHOUT_FETCH_IN_MOTION = 6

/** How many passes miss a record while its fetch by id proves nothing, until a person is asked. */
const MISSES_UNPROVED = 10

const ALWAYS_BELIEVED = 5
const BELIEVED_SHARE = 0.02
const SMALLEST_RECOGNISED_ACCOUNT = 3
const RECOGNISED_SHARE = 0.1
const SAMPLE_SIZE = 20

/** A record that is known and that the pass did not meet. */
export interface Missing {
  readonly id: string
  /** Complete passes in a row that missed it, this one among them where it counts. */
  readonly misses: number
}

export interface PassCounts {
  /** Records known when the pass began; a removed record is not known. */
  readonly known: number
  /** How many of the known records the pass met. */
  readonly met: number
  /** Rows received, good or bad. */
  readonly rows: number
}

/** More removals than this in one pass are not believed. */
export function mostBelieved(known: number): number {
  return Math.max(ALWAYS_BELIEVED, BELIEVED_SHARE * known)
}

/** How many known records must be met before unknown ones are taken for this account's. */
export function recognisedAfter(known: number): number {
  return known < SMALLEST_RECOGNISED_ACCOUNT ? 0 : Math.ceil(known * RECOGNISED_SHARE)
}

/** Why a whole pass is not believed, so that it counts no misses; null: it is believed. */
export function suspicion({ known, met, rows }: PassCounts): 'empty' | 'other_account' | null {
  if (known === 0) return null
  if (rows === 0) return 'empty'
  return met < recognisedAfter(known) ? 'other_account' : null
}

/** Whether the records that were missed so often may be gone, a fetch by id permitting. */
export function mayBeGone({ misses }: Missing): boolean {
  return misses >= MISSES_WITH_FETCH
}

/** Whether a record is gone although no fetch by id can prove it. */
export function isGoneUnproved({ misses }: Missing, inMotion: boolean): boolean {
  return misses >= (inMotion ? MISSES_WITHOUT_FETCH_IN_MOTION : MISSES_WITHOUT_FETCH)
}

/** Whether a record that fetches by id prove nothing of has been missed for so long that only a person can tell. */
export function isUnproved({ misses }: Missing): boolean {
  return misses >= MISSES_UNPROVED
}

export function heldPass(reason: HeldPass['reason'], known: number, missing: readonly Missing[]): HeldPass {
  return { reason, known, missing: missing.length, sample: missing.slice(0, SAMPLE_SIZE).map(({ id }) => id) }
}

/**
 * Whether an operator's `accept` covers a pass: it was given to a hold for the same reason, or for a graver one that is
 * over, and the pass misses at most a believable number more. An operator accepts only what was shown.
 */
export function isAccepted(hold: Hold | null, pass: HeldPass): boolean {
  if (hold?.verdict !== 'accept') return false
  if (pass.reason !== hold.reason && pass.reason !== 'too_many') return false
  return pass.missing <= hold.missing + mostBelieved(pass.known)
}

/** What a pass that is not believed makes of the hold before it, and whether that rings. */
export function holdAfter(before: Hold | null, pass: HeldPass, at: number): { hold: Hold; rings: boolean } {
  const rung = { hold: { ...pass, since: at, verdict: null, quietPasses: 0 }, rings: true }
  if (before === null || before.verdict === 'accept') return rung
  if (before.verdict === null) return { hold: { ...before, ...pass }, rings: false }
  const quietPasses = before.quietPasses - 1
  return quietPasses <= 0 ? rung : { hold: { ...before, ...pass, quietPasses }, rings: false }
}
