/** The search terms of a record as its row keeps them, in JSON; null: it has none. */
export function parseTerms(stored: string | null): readonly string[] {
  return JSON.parse(stored ?? '[]')
}
