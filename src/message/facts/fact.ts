import type { Json } from '../../model/json.ts'
import type { FactName } from '../languages/terms.ts'
import { cut, words } from '../words/short.ts'
import type { Wording } from '../wording/wording.ts'

/** One line of what an event is about, for people. */
export interface Fact {
  /** The name of the fact in any language; null: a line of an operator's template. */
  readonly name: FactName | null
  /** What the reader calls the fact; null: a line of an operator's template, which speaks for itself. */
  readonly label: string | null
  readonly value: string
}

/** A fact that has no label yet; null: not known. */
export type MaybeFact = { readonly name: FactName; readonly value: string } | null

const LONGEST = 300

/** A fact with its value; null where there is nothing to say. */
export function fact(name: FactName, value: string | null): MaybeFact {
  return value === null || value === '' ? null : { name, value: cut(value, LONGEST) }
}

/** A word of the platform as people write it; null where there is none. */
export function wordsOf(value: Json | undefined, wording: Wording): string | null {
  return value === undefined || value === null || value === '' ? null : words(value, wording)
}

/** A fact as a line of text: `Route: Shanghai (CNSHA) → Le Havre (FRLEH)`. */
export function factLine({ label, value }: Pick<Fact, 'label' | 'value'>): string {
  return label === null ? value : `${label}: ${value}`
}

/** Facts as lines of text, with the colon of their language: `Trajet : Shanghai (CNSHA) → Le Havre (FRLEH)`. */
export function factLines(facts: readonly Fact[], { terms }: Wording): readonly string[] {
  return facts.map(({ label, value }) => (label === null ? value : `${label}${terms.colon}${value}`))
}
