import { formatInstant } from '../../model/instant.ts'
import type { JsonObject } from '../../model/json.ts'
import type { CalendarMemory, RecordMemory } from '../../model/record-state.ts'
import type { Finding } from '../claims.ts'
import type { CalendarSettings } from './calendar-settings.ts'

/** An instant at which a rule applies to a record. */
export interface Edge {
  /** Names it within its record for good: it rings at most once. */
  readonly key: string
  readonly at: number
}

/** A record as the calendar knew it and as it is now; the same where only time has passed. */
export interface Turn {
  /** The record as it was read before; null: never. */
  readonly before: JsonObject | null
  readonly after: JsonObject
  /** What events have reported once this read has rung: `after` without the estimates that wait. */
  readonly reported: JsonObject
  readonly memory: RecordMemory
  /** What is so already stays unsaid (baseline). */
  readonly silent: boolean
  readonly calendar: CalendarSettings
  /** When the answer that shows `after` had arrived. */
  readonly at: number
}

/** A record at an instant of the calendar. */
export interface Standing {
  readonly record: JsonObject
  readonly memory: RecordMemory
  readonly calendar: CalendarSettings
}

/** What the calendar means for the records of one resource. */
export interface CalendarRules {
  /** Which of the edges that have passed stay silent from now on. */
  readonly arm: (turn: Turn) => CalendarMemory
  /** Events that a read brings about by crossing a day, and what is remembered of them whether or not they ring. */
  readonly cross: (turn: Turn) => { readonly memory: CalendarMemory; readonly findings: readonly Finding[] }
  /** Edges that have passed and ring now, earliest first, and the passed ones that give way to them for good. */
  readonly due: (standing: Standing) => Due
  /** All edges that are due, those that give way to them, and those still to come that would ring as things stand. */
  readonly pending: (standing: Standing) => readonly Edge[]
}

export interface Due {
  readonly alarms: readonly Alarm[]
  readonly superseded: readonly Edge[]
}

/** An edge that has passed, and its event. */
export interface Alarm extends Edge {
  readonly finding: Finding
}

/** Whether an edge has had its turn: it rang, or it is to stay silent. */
export function isSpent(edge: Edge, { calendar, rung = [] }: RecordMemory): boolean {
  const skipped = calendar?.skipped ?? []
  if (rung.length === 0 && skipped.length === 0) return false
  const { key } = edge
  return rung.includes(key) || skipped.includes(key)
}

/** Marks an edge as rung: it never rings again. */
export function rememberRung(memory: RecordMemory, key: string): RecordMemory {
  return { ...memory, rung: [...(memory.rung ?? []), key] }
}

/** `at`: the edge's instant; `late_by`: whole minutes between it and the ringing, left out below one. */
export function punctuality(at: number, now: number): JsonObject {
  const minutes = Math.floor((now - at) / 60_000)
  return minutes < 1 ? { at: formatInstant(at) } : { at: formatInstant(at), late_by: minutes }
}
