import type { ASTNode } from '@marcbachmann/cel-js'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { celEnvironment } from './cel-environment.ts'
import { compileFilter } from './compile-filter.ts'
import { EvaluationMeter } from './evaluation-meter.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { childrenOf, isLoop, pathOf } from './syntax-tree.ts'

/** What a part of a condition may come to: true, false, or a field that is not there. */
interface Chances {
  readonly yes: boolean
  readonly no: boolean
  readonly missing: boolean
}

const ANY: Chances = { yes: true, no: true, missing: true }
const YES: Chances = { yes: true, no: false, missing: false }
const NO: Chances = { yes: false, no: true, missing: false }
const MISSING: Chances = { yes: false, no: false, missing: true }

/**
 * Whether a condition may let any payload pass that is of the kind of a sample: the same type and cause, and the same fields of `data`,
 * whatever is inside of these. What cannot be judged passes.
 */
export function mayPass(expression: string, sample: JsonObject): boolean {
  const meters = { patterns: new LinearPatterns(), meter: new EvaluationMeter() }
  const { ast } = celEnvironment(meters).parse(expression)
  return chancesOf(ast, { expression, sample }).yes
}

interface Judging {
  readonly expression: string
  readonly sample: JsonObject
}

function chancesOf(node: ASTNode, judging: Judging): Chances {
  if (node.op === '&&') return both(...ofTwo(node.args, judging))
  if (node.op === '||') {
    const [left, right] = ofTwo(node.args, judging)
    return not(both(not(left), not(right)))
  }
  if (node.op === '!_') return not(chancesOf(node.args, judging))
  if (node.op === '?:') {
    const [condition, then, otherwise] = node.args
    return chosen(chancesOf(condition, judging), [chancesOf(then, judging), chancesOf(otherwise, judging)])
  }
  return ofLeaf(node, judging)
}

function ofTwo([left, right]: readonly [ASTNode, ASTNode], judging: Judging): readonly [left: Chances, right: Chances] {
  return [chancesOf(left, judging), chancesOf(right, judging)]
}

/** A comparison, a call or a field. */
function ofLeaf(node: ASTNode, judging: Judging): Chances {
  const asked = presenceAsked(node)
  if (asked !== null) return ofPresence(asked, judging)
  const parts = partsOf(node, judging)
  if (parts.includes('missing')) return MISSING
  return parts.includes('unknown') ? ANY : judged(node, judging)
}

/** The path that `has(a.b)` or `"b" in a` asks for; null: it asks for none. */
function presenceAsked(node: ASTNode): readonly string[] | null {
  if (node.op === 'call' && node.args[0] === 'has')
    return node.args[1].map(pathOf).find((path) => path !== null) ?? null
  if (node.op !== 'in') return null
  const [key, of] = node.args
  const path = pathOf(of)
  return key.op === 'value' && typeof key.args === 'string' && path !== null ? [...path, key.args] : null
}

function ofPresence(path: readonly string[], { sample }: Judging): Chances {
  const [root, name, ...below] = path
  if (root !== 'data' || name === undefined) return ANY
  if (hasData(sample, name)) return below.length === 0 ? YES : ANY
  return below.length === 0 ? NO : MISSING
}

type Part = 'known' | 'unknown' | 'missing'

/** What is known of the fields that are read whatever the rest of an expression comes to. */
function partsOf(node: ASTNode, judging: Judging): readonly Part[] {
  const path = pathOf(node)
  if (path !== null) return [partAt(path, judging)]
  if (isLoop(node)) return [...partsOf(node.args[1], judging), 'unknown']
  const isDecided =
    node.op === '&&' || node.op === '||' || node.op === '?:' || (node.op === 'call' && node.args[0] === 'has')
  return isDecided ? ['unknown'] : childrenOf(node).flatMap((child) => partsOf(child, judging))
}

/** Fields that are alike in all payloads of a kind. */
const KNOWN: ReadonlySet<string> = new Set(['type', 'cause', 'sequence', 'observed', 'subject.resource'])

function partAt(path: readonly string[], { sample }: Judging): Part {
  if (KNOWN.has(path.join('.'))) return 'known'
  const [root, name] = path
  return root === 'data' && name !== undefined && !hasData(sample, name) ? 'missing' : 'unknown'
}

function hasData({ data }: JsonObject, name: string): boolean {
  return data !== undefined && isJsonObject(data) && Object.hasOwn(data, name)
}

/** What a part comes to that reads only what is alike in all payloads of a kind. */
function judged({ range }: ASTNode, { expression, sample }: Judging): Chances {
  const part = expression.slice(range.start, range.end)
  const [compiled, opposite] = [compileFilter(part), compileFilter(`!(${part}\n)`)]
  if (compiled.kind === 'problem' || opposite.kind === 'problem') return ANY
  const verdict = compiled.filter.judge(sample)
  if (verdict.kind === 'match') return YES
  if (verdict.kind === 'failed') return ANY
  return opposite.filter.judge(sample).kind === 'match' ? NO : MISSING
}

function both(left: Chances, right: Chances): Chances {
  return {
    yes: left.yes && right.yes,
    no: left.no || right.no,
    missing: (left.missing && (right.missing || right.yes)) || (right.missing && left.yes),
  }
}

function not({ missing, no, yes }: Chances): Chances {
  return { yes: no, no: yes, missing }
}

function chosen(condition: Chances, [then, otherwise]: readonly [Chances, Chances]): Chances {
  const [first, second] = [condition.yes ? then : null, condition.no ? otherwise : null]
  return {
    yes: first?.yes === true || second?.yes === true,
    no: first?.no === true || second?.no === true,
    missing: condition.missing || first?.missing === true || second?.missing === true,
  }
}
