import type { AnyFacts } from './facts.ts'

/** What is remembered of one record for the sake of its dates. */
export interface RecordCalendar<Kind extends AnyFacts> {
  /** A read of it was applied: what that brings about by crossing a day. */
  read(turn: Turn<Kind>): readonly string[]
  /** Whether something has to ring by now. */
  isDue(facts: Kind, today: number): boolean
  /** The calendar looked at it: everything that has to ring, which rings no more. */
  ring(facts: Kind, today: number): readonly string[]
}

export interface Turn<Kind extends AnyFacts> {
  /** null: never seen before, or removed meanwhile. */
  readonly before: Kind | null
  readonly after: Kind
  /** `silent`: before the baseline of its list; `back`: it had been removed. */
  readonly how: 'silent' | 'ring' | 'back'
  /** The calendar's present. */
  readonly today: number
  readonly answeredAt: number
}

/** What an event adds to its type, in one order. */
export function details(extras: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(extras).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** When the edge was, and how many whole minutes ago. */
export function lateness(at: number, today: number): Readonly<Record<string, unknown>> {
  const minutes = Math.floor((today - at) / 60_000)
  return { at: new Date(at).toISOString(), ...(minutes < 1 ? {} : { late_by: minutes }) }
}
