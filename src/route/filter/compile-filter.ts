import {
  EvaluationError,
  ParseError,
  TypeError as CelTypeError,
  type Environment,
  type ParseResult,
} from '@marcbachmann/cel-js'
import { RE2JS } from '@bufbuild/re2'
import type { Filter, FilterVerdict } from '../../model/filter.ts'
import type { JsonObject } from '../../model/json.ts'
import { celEnvironment, LINEAR_MATCHES, PAYLOAD_FIELDS, TYPE_FIELD } from './cel-environment.ts'
import { CelValues } from './cel-values.ts'
import { brokenRule, matchesCalls, type ExpressionProblem, type MatchesCall } from './expression-rules.ts'

export type CompiledFilter =
  { readonly kind: 'filter'; readonly filter: Filter } | ({ readonly kind: 'problem' } & ExpressionProblem)

const LONGEST = 4_000

/** Binds the payload's `type`, which is also a function of the language. The line break ends a comment. */
const BEFORE = `cel.bind(type, ${TYPE_FIELD}, `
const AFTER = '\n)'

/** Parses and type-checks a `where` (CEL over the standard payload, contract section 2). Everything that can be is judged here. */
export function compileFilter(expression: string): CompiledFilter {
  if (expression.length > LONGEST) return problem(`is longer than ${LONGEST} characters`, 0)
  const patterns = new Map<string, RE2JS>()
  const environment = celEnvironment(patterns)
  try {
    const { ast } = environment.parse(expression)
    const broken = brokenRule(ast)
    if (broken !== null) return { kind: 'problem', ...broken }
    const calls = matchesCalls(ast)
    return addPatterns(calls, patterns) ?? checked(environment, expression, calls)
  } catch (error) {
    return failedAt(error, 0)
  }
}

function addPatterns(calls: readonly MatchesCall[], patterns: Map<string, RE2JS>): CompiledFilter | null {
  for (const { pattern, patternAt } of calls) {
    try {
      patterns.set(pattern, new RE2JS(pattern))
    } catch {
      return problem('this is not a regular expression as RE2 knows them', patternAt)
    }
  }
  return null
}

function checked(environment: Environment, expression: string, calls: readonly MatchesCall[]): CompiledFilter {
  const parsed = environment.parse(BEFORE + withLinearMatches(expression, calls) + AFTER)
  if (matchesCalls(parsed.ast).length > 0)
    return problem('put no comment between `matches` and its pattern', calls[0]?.nameAt ?? 0)
  const { valid, type, error } = parsed.check()
  if (!valid) return failedAt(error, BEFORE.length)
  if (type !== 'bool' && type !== 'dyn') return problem(`must say true or false, and this is ${type}`, 0)
  return { kind: 'filter', filter: { expression, judge: (payload) => judge(parsed, payload) } }
}

/** The replacement is as long as the word, so that every place in the expression stays where it is. */
function withLinearMatches(expression: string, calls: readonly MatchesCall[]): string {
  return calls.reduce(
    (text, { nameAt }) => text.slice(0, nameAt) + LINEAR_MATCHES + text.slice(nameAt + LINEAR_MATCHES.length),
    expression,
  )
}

function judge(evaluate: ParseResult, payload: JsonObject): FilterVerdict {
  try {
    const values = valuesOf(payload)
    values.refill()
    const { type, ...others } = Object.fromEntries(values.fields)
    const result: unknown = evaluate({ ...others, [TYPE_FIELD]: type })
    if (typeof result === 'boolean') return { kind: result ? 'match' : 'no match' }
    return { kind: 'failed', reason: 'It says neither true nor false.' }
  } catch (error) {
    return isMissing(error) ? { kind: 'no match' } : { kind: 'failed', reason: reasonOf(error) }
  }
}

/** Several subscriptions judge the same payload. */
const CONVERTED = new WeakMap<JsonObject, CelValues>()

function valuesOf(payload: JsonObject): CelValues {
  const known = CONVERTED.get(payload)
  if (known !== undefined) return known
  const values = new CelValues(payload)
  CONVERTED.set(payload, values)
  return values
}

/** Reaching into a missing field, element or key means no match (contract section 4). */
function isMissing(error: unknown): boolean {
  return error instanceof EvaluationError && (error.code === 'no_such_key' || error.code === 'index_out_of_bounds')
}

const LONGEST_REASON = 300

function reasonOf(error: unknown): string {
  const text = error instanceof EvaluationError ? error.summary : error instanceof Error ? error.message : String(error)
  return worded(text).slice(0, LONGEST_REASON)
}

function failedAt(error: unknown, shift: number): CompiledFilter {
  if (!(error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError)) throw error
  const offset = Math.max((error.range?.start ?? shift) - shift, 0)
  const hint = error.code === 'unknown_variable' ? ` (a payload has ${PAYLOAD_FIELDS.join(', ')})` : ''
  return problem(`${worded(error.summary)}${hint}`, offset)
}

/** In the words of whoever wrote the expression. */
function worded(summary: string): string {
  return summary.replaceAll(LINEAR_MATCHES, 'matches').replaceAll(TYPE_FIELD, 'type')
}

function problem(message: string, offset: number): CompiledFilter {
  return { kind: 'problem', message, offset }
}
