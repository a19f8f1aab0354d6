/** One line of what an event is about, for people. */
export interface Fact {
  /** null: a line of an operator's template, which speaks for itself. */
  readonly label: string | null
  readonly value: string
}

/** A fact as a line of text: `Route: CNSHA → FRLEH`. */
export function factLine({ label, value }: Fact): string {
  return label === null ? value : `${label}: ${value}`
}
