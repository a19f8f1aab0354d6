import type { ExpectationState, ExpectedRecord, ExpectedSubject, KnownRule } from '../../model/expectation.ts'
import { judgeExpectation, nextLookAt, type ExpectationTurn, type ExpectationVerdict } from './judge-expectation.ts'

/** What a rule says of a record, or why it cannot be judged. */
type RuleSaying =
  | ({ readonly kind: 'judged' } & ExpectationVerdict)
  | { readonly kind: 'failed'; readonly reason: string }

/** A rule, and what it says of the record; null: the record is removed. */
export interface RuleOfRecord {
  readonly known: KnownRule
  readonly saying: RuleSaying | null
  readonly isUnread: boolean
  readonly wasReadSince: (at: number) => boolean
}

interface RecordJudging {
  readonly resource: ExpectedSubject
  readonly id: string
  /** What is remembered of the record; null: it was never judged. */
  readonly before: ExpectedRecord | null
  /** Whether the record came after the rules were in force: what it shows first is news. */
  readonly isFresh: boolean
  readonly isGone: boolean
  /** The rules about records of its kind. */
  readonly rules: readonly RuleOfRecord[]
  /** The newest generation of the account's rules. */
  readonly generation: number
  /** The account's calendar. */
  readonly now: number
}

/** A turn of one expectation. */
interface NamedTurn {
  readonly name: string
  readonly turn: ExpectationTurn
}

export interface JudgedRecord {
  readonly record: ExpectedRecord
  readonly turns: readonly NamedTurn[]
}

/** Judges all expectations of one record. A rule that cannot be judged leaves what was known of it as it is. */
export function judgeRecord(judging: RecordJudging): JudgedRecord {
  const { generation, id, isGone, resource, rules } = judging
  const states = new Map<string, ExpectationState>()
  const failures = new Map<string, string>()
  const turns: NamedTurn[] = []
  for (const rule of rules) {
    const { name } = rule.known
    const before = knownState(judging, rule.known)
    const { saying } = rule
    if (saying?.kind === 'failed') {
      failures.set(name, saying.reason)
      if (before !== null) states.set(name, before)
      continue
    }
    const { state, turn } = judgeExpectation({
      before,
      verdict: saying,
      now: judging.now,
      silentUntil: silentUntil(judging, rule.known),
      isUnread: rule.isUnread && isFirstLook(judging, rule.known),
      wasReadSince: rule.wasReadSince,
    })
    if (state !== null) states.set(name, state)
    if (turn !== null) turns.push({ name, turn })
  }
  // What cannot be judged waits for a change.
  const waiting = [...states].filter(([name]) => !failures.has(name))
  const looks = waiting.map(([, state]) => nextLookAt(state)).filter((at) => at !== null)
  const dueAt = looks.length === 0 ? null : Math.min(...looks)
  const record = { resource, id, generation, isGone, dueAt }
  return { record: { ...record, states: byName(states), failures: byName(failures) }, turns }
}

/** What is remembered of an expectation, unless its rule was another one then. */
function knownState({ before }: RecordJudging, { generation, name }: KnownRule): ExpectationState | null {
  if (before === null || generation > before.generation) return null
  return Object.hasOwn(before.states, name) ? (before.states[name] ?? null) : null
}

/** Whether the record is judged by the rule for the first time, or has not been read whole since. */
function isFirstLook(judging: RecordJudging, rule: KnownRule): boolean {
  const { before, isFresh } = judging
  if (before === null) return !isFresh
  return rule.generation > before.generation || knownState(judging, rule)?.isUnread === true
}

/** What stands already when a rule is new for a record, or when the record is back, is learnt in silence. */
function silentUntil(judging: RecordJudging, rule: KnownRule): number | null {
  const { before, isGone, now } = judging
  if (before !== null && before.isGone && !isGone) return now
  return isFirstLook(judging, rule) ? rule.since : null
}

function byName<T>(values: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries(values)
}
