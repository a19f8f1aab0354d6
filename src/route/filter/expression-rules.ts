import type { ASTNode } from '@marcbachmann/cel-js'
import { REFUSED_FUNCTIONS, TYPE_FIELD } from './cel-environment.ts'

/** Of a problem: what is wrong, and the character of the expression at which it is. */
export interface ExpressionProblem {
  readonly message: string
  readonly offset: number
}

/** A call of `matches`, and the pattern it names. */
export interface MatchesCall {
  readonly pattern: string
  readonly patternAt: number
  /** Where the word `matches` stands. */
  readonly nameAt: number
}

/** Each macro that walks through a list or a map: one inside the other multiplies. */
const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])
const DEEPEST_LOOPS = 3

/** What the language allows and a `where` must not: what cannot be bounded. null where there is nothing of it. */
export function brokenRule(node: ASTNode, loops = 0): ExpressionProblem | null {
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
export function matchesCalls(node: ASTNode): readonly MatchesCall[] {
  const inside = childrenOf(node).flatMap(matchesCalls)
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return inside
  const [, receiver, [pattern]] = node.args
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return inside
  const between = node.input.slice(receiver.range.end, pattern.range.start)
  const nameAt = receiver.range.end + between.lastIndexOf('matches')
  return [...inside, { pattern: pattern.args, patternAt: pattern.range.start, nameAt }]
}

function isLoop(node: ASTNode): boolean {
  return node.op === 'rcall' && LOOPS.has(node.args[0])
}

function at(node: ASTNode, message: string): ExpressionProblem {
  return { message, offset: node.range.start }
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  return nodesIn(node.args)
}

function nodesIn(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return isNode(value) ? [value] : []
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value && 'range' in value
}
