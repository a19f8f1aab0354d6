/**
 * Whether a condition may look into the record of an event, as it is or as it was (`names`): into `data` as a whole, by a name that it makes, or into
 * `object` and `previous`. A name within a text counts too.
 */
export function readsRecords(expression: string, names: readonly RecordName[] = ['object', 'previous']): boolean {
  return new RegExp(`\\bdata\\b(?!\\s*\\.\\s*(?!(?:${names.join('|')})\\b)[A-Za-z_])`).test(expression)
}

/** The fields of `data` in which a record is. */
type RecordName = 'object' | 'previous'
