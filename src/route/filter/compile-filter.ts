import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { Filter } from '../../model/filter.ts'
import { asWritten, celEnvironment, LINEAR_MATCHES, METERED, PAYLOAD_FIELDS, TYPE_FIELD } from './cel-environment.ts'
import { CelFilter } from './cel-filter.ts'
import { EvaluationMeter } from './evaluation-meter.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { brokenRule, matchesCalls, type ExpressionProblem, type MatchesCall } from './expression-rules.ts'

export type CompiledFilter =
  { readonly kind: 'filter'; readonly filter: Filter } | ({ readonly kind: 'problem' } & ExpressionProblem)

const LONGEST = 4_000

/** Binds the payload's `type`, which is also a function of the language. The line break ends a comment. */
const BEFORE = `${METERED}(cel.bind(type, ${TYPE_FIELD}, `
const AFTER = '\n))'

/** Parses and type-checks a `where` (CEL over the standard payload, contract section 2). Everything that can be is judged here. */
export function compileFilter(expression: string): CompiledFilter {
  if (expression.length > LONGEST) return problem(`is longer than ${LONGEST} characters`, 0)
  const patterns = new LinearPatterns()
  const environment = celEnvironment({ patterns, meter: new EvaluationMeter() })
  try {
    const { ast } = environment.parse(expression)
    const broken = brokenRule(ast)
    if (broken !== null) return { kind: 'problem', ...broken }
    const calls = matchesCalls(ast)
    for (const { pattern, patternAt } of calls) {
      const refused = patterns.add(pattern)
      if (refused !== null) return problem(refused, patternAt)
    }
    const parsed = environment.parse(BEFORE + withLinearMatches(expression, calls) + AFTER)
    if (matchesCalls(parsed.ast).length > 0)
      return problem('put no comment between `matches` and its pattern', calls[0]?.nameAt ?? 0)
    const { valid, type, error } = parsed.check()
    if (!valid) return failedAt(error, BEFORE.length)
    if (type !== 'bool' && type !== 'dyn') return problem(`must say true or false, and this is ${type}`, 0)
    return { kind: 'filter', filter: new CelFilter(expression, parsed, patterns) }
  } catch (error) {
    return failedAt(error, 0)
  }
}

/** The replacement is as long as the word, so that every place in the expression stays where it is. */
function withLinearMatches(expression: string, calls: readonly MatchesCall[]): string {
  return calls.reduce(
    (text, { nameAt }) => text.slice(0, nameAt) + LINEAR_MATCHES + text.slice(nameAt + LINEAR_MATCHES.length),
    expression,
  )
}

function failedAt(error: unknown, shift: number): CompiledFilter {
  if (!(error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError))
    return problem(`it cannot be understood (${String(error)})`, 0)
  const offset = Math.max((error.range?.start ?? shift) - shift, 0)
  const hint = error.code === 'unknown_variable' ? ` (a payload has ${PAYLOAD_FIELDS.join(', ')})` : ''
  return problem(`${asWritten(error.summary)}${hint}`, offset)
}

function problem(message: string, offset: number): CompiledFilter {
  return { kind: 'problem', message, offset }
}
