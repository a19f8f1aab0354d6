import type { ExpectationState } from '../../model/expectation.ts'

/** What a rule says of a record as events have reported it. */
export interface ExpectationVerdict {
  readonly isExpected: boolean
  readonly hasHappened: boolean
  /** The instant by which it is expected; null: not known. */
  readonly by: number | null
}

type WithdrawalReason = 'no_longer_expected' | 'moved' | 'removed'

/** What becomes of an expectation: it is missed, or what was missed ends. A silent turn rings nothing. */
export type ExpectationTurn = { readonly by: number; readonly isSilent: boolean } & (
  | { readonly kind: 'missed' }
  | { readonly kind: 'met'; readonly lateSeconds: number }
  | { readonly kind: 'withdrawn'; readonly reason: WithdrawalReason }
)

export interface JudgedExpectation {
  /** What is to be remembered; null: nothing, because it was never expected of the record. */
  readonly state: ExpectationState | null
  readonly turn: ExpectationTurn | null
}

interface Judging {
  /** What is remembered; null: nothing, or another rule's. */
  readonly before: ExpectationState | null
  /** What the rule says; null: the record is removed. */
  readonly verdict: ExpectationVerdict | null
  /** The account's calendar (milliseconds since the Unix epoch). */
  readonly now: number
  /** What had passed by then is learnt in silence; null: nothing is. */
  readonly silentUntil: number | null
  /** Whether something that the rule looks at has never been read although it will be. */
  readonly isUnread: boolean
  /** Whether everything that the rule looks at was read since an instant: until then nothing is known to be missed. */
  readonly wasReadSince: (at: number) => boolean
}

/**
 * Judges one expectation of one record. It is missed for as long as its instant has passed while it is expected and has not
 * happened: that begins with `expectation.missed`, and ends with `expectation.met` or `.withdrawn`.
 */
export function judgeExpectation(judging: Judging): JudgedExpectation {
  const { before, isUnread, verdict } = judging
  if (before?.state === 'missed') return stillMissed(before, judging)
  if (verdict === null || !verdict.isExpected) {
    return { state: before && { state: 'withdrawn', by: before.by, rang: false }, turn: null }
  }
  const { by, hasHappened } = verdict
  const state = { by, rang: false, ...(isUnread && { isUnread }) } as const
  if (isUnread) return { state: { ...state, state: 'waiting' }, turn: null }
  if (hasHappened) return { state: { ...state, state: 'met' }, turn: null }
  if (by === null || by > judging.now) return { state: { ...state, state: 'waiting' }, turn: null }
  return passed(by, judging)
}

function passed(by: number, { silentUntil, wasReadSince }: Judging): JudgedExpectation {
  if (silentUntil !== null && by <= silentUntil)
    return { state: { state: 'missed', by, rang: false }, turn: { kind: 'missed', by, isSilent: true } }
  if (!wasReadSince(by)) return { state: { state: 'waiting', by, rang: false }, turn: null }
  return { state: { state: 'missed', by, rang: true }, turn: { kind: 'missed', by, isSilent: false } }
}

/** What was missed goes on being so, or ends: what has happened comes before what is expected no more. */
function stillMissed(before: ExpectationState, { now, verdict }: Judging): JudgedExpectation {
  const isSilent = !before.rang
  const missedBy = before.by ?? now
  const withdrawn = (reason: WithdrawalReason): ExpectationTurn => ({
    kind: 'withdrawn',
    by: missedBy,
    reason,
    isSilent,
  })
  if (verdict === null) return { state: { ...before, state: 'withdrawn', rang: false }, turn: withdrawn('removed') }
  const by = verdict.by !== null && verdict.by <= now ? verdict.by : missedBy
  if (verdict.hasHappened) {
    const lateSeconds = Math.max(0, Math.floor((now - by) / 1_000))
    return { state: { state: 'met', by, rang: false }, turn: { kind: 'met', by, lateSeconds, isSilent } }
  }
  if (!verdict.isExpected)
    return { state: { ...before, state: 'withdrawn', rang: false }, turn: withdrawn('no_longer_expected') }
  if (verdict.by === null || verdict.by > now)
    return { state: { state: 'waiting', by: verdict.by, rang: false }, turn: withdrawn('moved') }
  return { state: { ...before, by }, turn: null }
}

/** When an expectation has to be judged next, as far as time alone decides; null: once something of its record changes. */
export function nextLookAt(state: ExpectationState | null): number | null {
  return state?.state === 'waiting' && state.isUnread !== true ? state.by : null
}
