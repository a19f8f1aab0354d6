/**
 * Whether a condition may look into the record of an event, as it is or as it was: into `data` as a whole, by a name that it makes, or into
 * `object` and `previous`. A name within a text counts too.
 */
export function readsRecords(expression: string): boolean {
  return /\bdata\b(?!\s*\.\s*(?!(?:object|previous)\b)[A-Za-z_])/.test(expression)
}
