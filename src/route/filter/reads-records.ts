import type { ASTNode } from '@marcbachmann/cel-js'
import { celEnvironment } from './cel-environment.ts'
import { EvaluationMeter } from './evaluation-meter.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { childrenOf, isLoop, pathOf } from './syntax-tree.ts'

/**
 * Whether a condition may look into the record of an event, as it is or as it was (`names`): into `data` as a whole, by a name that it makes, or into
 * `object` and `previous`. A name within a text counts too.
 */
export function readsRecords(expression: string, names: readonly RecordName[] = ['object', 'previous']): boolean {
  return new RegExp(`\\bdata\\b(?!\\s*\\.\\s*(?!(?:${names.join('|')})\\b)[A-Za-z_])`).test(expression)
}

/** The fields of `data` in which a record is. */
type RecordName = 'object' | 'previous'

/** What a longer condition reads of an object that has many fields, which costs more, may be more than it is allowed. */
const LONGEST = 1_000

/** The fields of the record of an event that a condition looks into; null: it may look into all of them, or into what the record was. */
export function recordFieldsRead(expression: string): readonly string[] | null {
  if (!readsRecords(expression)) return []
  if (expression.length > LONGEST || readsRecords(expression, ['previous'])) return null
  const meters = { patterns: new LinearPatterns(), meter: new EvaluationMeter() }
  return fieldsIn(celEnvironment(meters).parse(expression).ast)
}

function fieldsIn(node: ASTNode): readonly string[] | null {
  const path = pathOf(node)
  if (path !== null) return fieldsAt(path)
  // What a loop reads costs as often as it runs.
  if (isLoop(node)) return null
  const inner = childrenOf(node).map(fieldsIn)
  return inner.includes(null) ? null : inner.flatMap((fields) => fields ?? [])
}

function fieldsAt([root, name, field]: readonly string[]): readonly string[] | null {
  if (root !== 'data' || (name !== undefined && name !== 'object')) return []
  return field === undefined ? null : [field]
}
