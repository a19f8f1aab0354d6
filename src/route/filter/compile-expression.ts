import {
  EvaluationError,
  ParseError,
  TypeError as CelTypeError,
  type ASTNode,
  type Environment,
  type ParseResult,
} from '@marcbachmann/cel-js'
import { asWritten, LINEAR_MATCHES, REFUSED_FUNCTIONS, TYPE_FIELD } from './cel-environment.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { childrenOf, isLoop } from './syntax-tree.ts'

/** What an expression is written in. */
export interface Language {
  /** What an expression may name. */
  readonly environment: (patterns: LinearPatterns) => Environment
  /** What comes before and behind an expression, so that it is metered. */
  readonly around: readonly [before: string, behind: string]
  /** Why what an expression says, by its type, is not what is asked for; null: it may be. */
  readonly misfit: (type: string) => string | null
  /** What there is to name, for a hint to whoever misspelt it. */
  readonly names: string
}

type CompiledExpression =
  | {
      readonly kind: 'expression'
      readonly evaluate: ParseResult
      readonly patterns: LinearPatterns
      /** The expression as it is written. */
      readonly ast: ASTNode
    }
  | ({ readonly kind: 'problem' } & ExpressionProblem)

const LONGEST = 4_000

/**
 * Parses and type-checks an expression. The library compiles no code. `cel-values.ts` bounds what an evaluation reads,
 * `evaluation-meter.ts` what it computes, `linear-patterns.ts` what `matches` may cost.
 */
export function compileExpression(
  expression: string,
  { around, environment: of, misfit, names }: Language,
): CompiledExpression {
  if (expression.length > LONGEST) return problem(`is longer than ${LONGEST} characters`, 0)
  const patterns = new LinearPatterns()
  const environment = of(patterns)
  const [before, behind] = around
  try {
    const { ast } = environment.parse(expression)
    const broken = brokenRule(ast)
    if (broken !== null) return { kind: 'problem', ...broken }
    const calls = matchesCalls(ast)
    for (const { pattern, patternAt } of calls) {
      const refused = patterns.add(pattern)
      if (refused !== null) return problem(refused, patternAt)
    }
    const parsed = environment.parse(before + withLinearMatches(expression, calls) + behind)
    if (matchesCalls(parsed.ast).length > 0)
      return problem('put no comment between `matches` and its pattern', calls[0]?.nameAt ?? 0)
    const { valid, type, error } = parsed.check()
    if (!valid) return failedAt(error, { names, shift: before.length })
    const wrong = misfit(type ?? 'dyn')
    return wrong === null ? { kind: 'expression', evaluate: parsed, patterns, ast } : problem(wrong, 0)
  } catch (error) {
    return failedAt(error, { names, shift: 0 })
  }
}

/** The replacement is as long as the word, so that every place in the expression stays where it is. */
function withLinearMatches(expression: string, calls: readonly MatchesCall[]): string {
  return calls.reduce(
    (text, { nameAt }) => text.slice(0, nameAt) + LINEAR_MATCHES + text.slice(nameAt + LINEAR_MATCHES.length),
    expression,
  )
}

function failedAt(
  error: unknown,
  { names, shift }: { readonly names: string; readonly shift: number },
): CompiledExpression {
  if (!(error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError))
    return problem(`it cannot be understood (${String(error)})`, 0)
  const offset = Math.max((error.range?.start ?? shift) - shift, 0)
  const hint = error.code === 'unknown_variable' ? ` (${names})` : ''
  return problem(`${asWritten(error.summary)}${hint}`, offset)
}

function problem(message: string, offset: number): CompiledExpression {
  return { kind: 'problem', message, offset }
}

/** What is wrong with an expression, and at which character. */
export interface ExpressionProblem {
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
