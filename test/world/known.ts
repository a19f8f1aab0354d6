import type { AccountFacts } from './account-facts.ts'
import type { Turn } from './expected-calendar.ts'
import { DueDates } from './expected-due-dates.ts'
import { Milestones } from './expected-milestones.ts'
import type { AnyFacts } from './facts.ts'

/** A record as the last applied read showed it, and what is remembered of it. */
export class Known {
  readonly id: string
  facts: AnyFacts
  removed = false
  /** Complete passes, or reads of it, in a row that should have shown it. */
  misses = 0
  /** Whether a pass since the baseline, or the baseline itself, met it: others are known to nobody outside. */
  emitted: boolean
  /** Learnt silently, before its list had a baseline. */
  readonly atBaseline: boolean
  /** When the answer arrived that was applied last. */
  readAt = 0
  /** Due dates that it became due for. */
  readonly dueRang = new Set<string>()
  readonly #dueDates: DueDates
  readonly #milestones: Milestones
  #isNew = true

  constructor(first: { id: string; facts: AnyFacts; emitted: boolean; atBaseline: boolean; account: AccountFacts }) {
    this.id = first.id
    this.facts = first.facts
    this.emitted = first.emitted
    this.atBaseline = first.atBaseline
    this.#dueDates = new DueDates(first.account, this.dueRang)
    this.#milestones = new Milestones(first.account)
  }

  /** A read showed it: what that means for the calendar. */
  read(facts: AnyFacts, turn: Pick<Turn<AnyFacts>, 'how' | 'today' | 'answeredAt'>): readonly string[] {
    const before = this.#isNew || this.removed ? null : this.facts
    this.#isNew = false
    this.facts = facts
    this.removed = false
    this.misses = 0
    this.readAt = turn.answeredAt
    if ('lines' in facts) {
      return this.#dueDates.read({
        ...turn,
        before: before !== null && 'lines' in before ? before : null,
        after: facts,
      })
    }
    if (!('cargo' in facts)) return []
    return this.#milestones.read({
      ...turn,
      before: before !== null && 'cargo' in before ? before : null,
      after: facts,
    })
  }

  remove(): void {
    this.removed = true
    this.misses = 0
  }

  /** Whether the calendar has something to ring for it. */
  isDue(today: number): boolean {
    if ('lines' in this.facts) return this.#dueDates.isDue(this.facts, today)
    return 'cargo' in this.facts && this.#milestones.isDue(this.facts, today)
  }

  /** Whether it was read after the last date that is due to ring had passed. */
  wasReadSinceDue(today: number): boolean {
    const { facts, readAt } = this
    return 'cargo' in facts && this.#milestones.due(facts, today).every(({ at }) => readAt >= at)
  }

  ring(today: number): readonly string[] {
    if ('lines' in this.facts) return this.#dueDates.ring(this.facts, today)
    return 'cargo' in this.facts ? this.#milestones.ring(this.facts, today) : []
  }
}
