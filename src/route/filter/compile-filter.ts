import { EvaluationError, ParseError, TypeError as CelTypeError, type ASTNode } from '@marcbachmann/cel-js'
import type { Filter } from '../../model/subscription.ts'
import {
  asWritten,
  celEnvironment,
  LINEAR_MATCHES,
  METERED,
  PAYLOAD_FIELDS,
  REFUSED_FUNCTIONS,
  TYPE_FIELD,
} from './cel-environment.ts'
import { CelFilter } from './cel-filter.ts'
import { EvaluationMeter } from './evaluation-meter.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { childrenOf, isLoop } from './syntax-tree.ts'

type CompiledFilter =
  { readonly kind: 'filter'; readonly filter: Filter } | ({ readonly kind: 'problem' } & ExpressionProblem)

const LONGEST = 4_000

/** Binds the payload's `type`, which is also a function of the language. The line break ends a comment. */
const BEFORE = `${METERED}(cel.bind(type, ${TYPE_FIELD}, `
const AFTER = '\n))'

/**
 * Parses and type-checks a `where` (CEL over the standard payload, guarantee E10), so that what is wrong is known at load and
 * not with the first event. The library compiles no code. `cel-filter.ts` bounds what an evaluation reads, `linear-patterns.ts`
 * what `matches` may cost.
 */
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

/** What is wrong with an expression, and at which character. */
interface ExpressionProblem {
  readonly message: string
  readonly offset: number
}

/** A call of `matches`, and the pattern it names. */
interface MatchesCall {
  readonly pattern: string
  readonly patternAt: number
  /** Where the word `matches` stands. */
  readonly nameAt: number
}

const DEEPEST_LOOPS = 3

/** What the language allows but cannot be bounded, and so is refused; null where there is nothing of it. */
function brokenRule(node: ASTNode, loops = 0): ExpressionProblem | null {
  const depth = isLoop(node) ? loops + 1 : loops
  if (depth > DEEPEST_LOOPS) return at(node, `loops lie more than ${DEEPEST_LOOPS} deep in each other`)
  if (node.op === 'id' && node.args === 'cel') return at(node, '`cel.bind` is not supported')
  if (node.op === 'id' && node.args === TYPE_FIELD) return at(node, `Unknown variable: ${TYPE_FIELD}`)
  if ((node.op === 'call' || node.op === 'rcall') && REFUSED_FUNCTIONS.has(node.args[0]))
    return at(node, `\`${node.args[0]}\` is not supported`)
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const [pattern] = node.args[2]
    if (pattern?.op !== 'value' || typeof pattern.args !== 'string')
      return at(pattern ?? node, '`matches` takes its pattern as text in quotes')
  }
  for (const child of childrenOf(node)) {
    const problem = brokenRule(child, depth)
    if (problem !== null) return problem
  }
  return null
}

/** Every call of `matches` in an expression that keeps the rules. */
function matchesCalls(node: ASTNode): readonly MatchesCall[] {
  const inside = childrenOf(node).flatMap(matchesCalls)
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return inside
  const [, receiver, [pattern]] = node.args
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return inside
  const between = node.input.slice(receiver.range.end, pattern.range.start)
  const nameAt = receiver.range.end + between.lastIndexOf('matches')
  return [...inside, { pattern: pattern.args, patternAt: pattern.range.start, nameAt }]
}

function at(node: ASTNode, message: string): ExpressionProblem {
  return { message, offset: node.range.start }
}
