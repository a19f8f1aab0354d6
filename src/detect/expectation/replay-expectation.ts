import type { ExpectationState } from '../../model/expectation.ts'
import { judgeExpectation, type ExpectationTurn, type ExpectationVerdict } from './judge-expectation.ts'

interface Replay {
  /** When the rule would have come into force: what had passed by then is silent. */
  readonly from: number
  readonly until: number
  /** When something of the record changed, in order. */
  readonly changes: readonly number[]
  /** What the rule said of the record at an instant; null: it was removed; `failed`: it cannot be said. */
  readonly verdictAt: (at: number) => ExpectationVerdict | null | 'failed'
}

/** A turn that would have come, and when. */
export interface ReplayedTurn {
  readonly turn: ExpectationTurn
  readonly at: number
}

/** What would have become of an expectation of one record, had everything been read at once. Silent turns are among them. */
export function replayExpectation({ changes, from, until, verdictAt }: Replay): readonly ReplayedTurn[] {
  const turns: ReplayedTurn[] = []
  let before: ExpectationState | null = null
  const instants = [from, ...changes.filter((at) => at > from && at <= until)]
  for (const [index, at] of instants.entries()) {
    const verdict = verdictAt(at)
    if (verdict === 'failed') continue
    // Where something changes at that very instant, the change decides.
    const next = instants[index + 1] ?? until + 1
    const ends = verdict !== null && verdict.by !== null && verdict.by > at && verdict.by < next ? [verdict.by] : []
    for (const now of [at, ...ends]) {
      const silentUntil = now === from ? from : null
      const judged = judgeExpectation({ before, verdict, now, silentUntil, isUnread: false, wasReadSince: () => true })
      before = judged.state
      if (judged.turn !== null) turns.push({ turn: judged.turn, at: now })
    }
  }
  return turns
}
