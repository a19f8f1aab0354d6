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

/** What a condition looks into. */
export interface DataRead {
  /** The fields of the record of an event. */
  readonly fields: readonly string[]
  /** The members of `data`; null: it may look into all of them but the record. */
  readonly names: readonly string[] | null
}

/** What a condition looks into; null: it may look into all of a record, or into what that was. */
export function dataRead(expression: string): DataRead | null {
  const isOfRecords = readsRecords(expression)
  if (isOfRecords && readsRecords(expression, ['previous'])) return null
  const paths = expression.length > LONGEST ? null : pathsOfData(expression)
  if (paths === null) return isOfRecords ? null : { fields: [], names: null }
  const fields = paths.filter(([name]) => name === 'object').map(([, field]) => field)
  const known = fields.filter((field) => field !== undefined)
  return known.length === fields.length ? { fields: known, names: paths.flatMap(([name]) => name ?? []) } : null
}

/** The paths below `data` that a condition reads; null: it reads all of it, or there is a loop. */
function pathsOfData(expression: string): readonly (readonly string[])[] | null {
  const meters = { patterns: new LinearPatterns(), meter: new EvaluationMeter() }
  const paths = pathsIn(celEnvironment(meters).parse(expression).ast)
  const found = paths?.filter(([root]) => root === 'data').map(([, ...path]) => path) ?? null
  return found?.some(({ length }) => length === 0) === true ? null : found
}

function pathsIn(node: ASTNode): readonly (readonly string[])[] | null {
  const path = pathOf(node)
  if (path !== null) return [path]
  // What a loop reads costs as often as it runs.
  if (isLoop(node)) return null
  const inner = childrenOf(node).map(pathsIn)
  return inner.includes(null) ? null : inner.flatMap((paths) => paths ?? [])
}
