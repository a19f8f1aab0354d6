import { Environment } from '@marcbachmann/cel-js'
import type { Evaluable, EvaluationMeter, Evaluator } from './evaluation-meter.ts'
import type { LinearPatterns } from './linear-patterns.ts'

/** The name under which `matches` is called: the library's own is a backtracking engine, which some texts hang. */
export const LINEAR_MATCHES = 'RE2test'

/** `type` is a built-in of the language; the payload's field is handed over under this name and bound to it. */
export const TYPE_FIELD = 'event_type'

/** Wraps a whole expression, so that its evaluation is metered. */
export const METERED = 'metered'

/** Names that an expression cannot use: they are ours, or what they make of a payload cannot be bounded beforehand. */
export const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  LINEAR_MATCHES,
  METERED,
  'split',
  'join',
  'bytes',
  'json',
])

/** What the library says, in the words of whoever wrote the expression. */
export function asWritten(summary: string): string {
  return summary.replaceAll(LINEAR_MATCHES, 'matches').replaceAll(TYPE_FIELD, 'type')
}

/** What bounds the evaluations of one expression. */
export interface Meters {
  readonly patterns: LinearPatterns
  readonly meter: EvaluationMeter
}

interface Checker {
  check(node: Evaluable, scope: unknown): unknown
}

/**
 * What a `where` may name: the fields of a payload (guarantee P1), and nothing below `data`, `account` and
 * `observed` is known before an event comes.
 */
export function celEnvironment(meters: Meters): Environment {
  return boundedEnvironment(meters)
    .registerVariable('id', 'string')
    .registerVariable(TYPE_FIELD, 'string')
    .registerVariable('timestamp', 'string')
    .registerVariable('account', 'dyn')
    .registerVariable('sequence', 'dyn')
    .registerVariable('subject', {
      schema: { resource: 'string', id: 'string', version: 'dyn', previous_event_id: 'dyn' },
    })
    .registerVariable('observed', 'dyn')
    .registerVariable('cause', 'string')
    .registerVariable('data', 'map<string, dyn>')
}

/** A language whose expressions are bounded, and that names nothing yet. Numbers of JSON are doubles. */
export function boundedEnvironment({ patterns, meter }: Meters): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 500, maxDepth: 32, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 8 },
  })
    .registerFunction(`string.${LINEAR_MATCHES}(string): bool`, (text: string, pattern: string) =>
      patterns.test(text, pattern),
    )
    .registerFunction(`${METERED}(ast): dyn`, ({ args: [whole] }: { readonly args: readonly [Evaluable] }) => ({
      typeCheck: (checker: Checker, _: unknown, scope: unknown) => checker.check(whole, scope),
      evaluate: (evaluator: Evaluator, _: unknown, scope: unknown) => meter.evaluate(evaluator, whole, scope),
    }))
  return withMixedArithmetic(environment)
}

/** The fields of a payload, for a hint to whoever misspelt one. */
export const PAYLOAD_FIELDS = [
  'id',
  'type',
  'timestamp',
  'account',
  'sequence',
  'subject',
  'observed',
  'cause',
  'data',
] as const

/** `1 + data.days_left == 3`: a number of JSON is a double and a literal an int, which the language neither adds nor equates. */
function withMixedArithmetic(environment: Environment): Environment {
  const operators: readonly (readonly [string, (left: number, right: number) => number])[] = [
    ['+', (left, right) => left + right],
    ['-', (left, right) => left - right],
    ['*', (left, right) => left * right],
    ['/', (left, right) => left / right],
    ['%', (left, right) => left % right],
  ]
  for (const [operator, compute] of operators) {
    const mixed = (left: number | bigint, right: number | bigint): number => compute(Number(left), Number(right))
    environment
      .registerOperator(`double ${operator} int: double`, mixed)
      .registerOperator(`int ${operator} double: double`, mixed)
  }
  return environment
    .registerOperator('double % double', (left: number, right: number) => left % right)
    .registerOperator(
      'double == int',
      (left: number | bigint, right: number | bigint) => Number(left) === Number(right),
    )
}
