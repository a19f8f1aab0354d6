import type { Json } from '../../model/json.ts'
import { cut, words } from '../words/short.ts'

/** One line of what an event is about, for people. */
export interface Fact {
  /** null: a line of an operator's template, which speaks for itself. */
  readonly label: string | null
  readonly value: string
}

/** null: not known. */
export type MaybeFact = Fact | null

const LONGEST = 300

/** null where there is nothing to say. */
export function fact(label: string, value: string | null): MaybeFact {
  return value === null || value === '' ? null : { label, value: cut(value, LONGEST) }
}

/** A word of the platform as people write it; null where there is none. */
export function wordsOf(value: Json | undefined): string | null {
  return value === undefined || value === null || value === '' ? null : words(value)
}

/** A fact as a line of text: `Route: CNSHA → FRLEH`. */
export function factLine({ label, value }: Fact): string {
  return label === null ? value : `${label}: ${value}`
}
