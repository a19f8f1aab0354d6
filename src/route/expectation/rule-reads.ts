import type { ASTNode } from '@marcbachmann/cel-js'
import type { ExpectedSubject, SeenResource } from '../../model/expectation.ts'
import { field, isJsonObject, rawEqual, type Json, type JsonObject } from '../../model/json.ts'
import { childrenOf, isLoop, pathOf } from '../filter/syntax-tree.ts'
import { resourcesSeenBy, SEEN_BY } from './expectation-view.ts'

/** The way to a field of a record; the empty way is the whole record. */
type Way = readonly string[]

/** What a rule says depends on the fields at these ways alone. */
export type RuleReads = ReadonlyMap<SeenResource, readonly Way[]>

interface Read {
  readonly resource: SeenResource
  readonly way: Way
}

const ALL: Way = []
/** A record is read whole. */
export const WHOLE: readonly Way[] = [ALL]

/** What the expressions of a rule read. Which records belong to which is read of all of a record. */
export function readsOf(expressions: readonly ASTNode[], about: ExpectedSubject): RuleReads {
  const reads = expressions.flatMap((expression) => readsIn(expression, about, []))
  const isJoined = about !== 'shipment' && reads.some(({ resource }) => resource !== about)
  return byResource(isJoined ? [...reads, { resource: about, way: ALL }] : reads)
}

/**
 * The resource whose last change alone decides an instant, such as `after(last_change("tracking"), "7d")`, which so moves later
 * with each of its changes; null: something else decides it, too.
 */
export function lastChangeOf(by: ASTNode, about: ExpectedSubject): SeenResource | null {
  if (by.op !== 'call') return null
  const [name, [first, second]] = by.args
  if (first?.op === 'value' && name === 'last_change') {
    return resourcesSeenBy(about).find((resource) => resource === first.args) ?? null
  }
  const isShift = (name === 'after' || name === 'before') && second?.op === 'value'
  return isShift && first !== undefined ? lastChangeOf(first, about) : null
}

/** What several rules read together. */
export function allReads(rules: readonly RuleReads[]): RuleReads {
  return byResource(
    rules.flatMap((each) => [...each].flatMap(([resource, ways]) => ways.map((way) => ({ resource, way })))),
  )
}

function byResource(reads: readonly Read[]): RuleReads {
  const ways = Map.groupBy(reads, ({ resource }) => resource)
  return new Map([...ways].map(([resource, each]) => [resource, widest(each.map(({ way }) => way))]))
}

/** Ways of which none leads through the end of another one. */
function widest(ways: readonly Way[]): readonly Way[] {
  const kept: Way[] = []
  for (const way of ways.toSorted((one, other) => one.length - other.length)) {
    if (!kept.some((each) => each.every((name, index) => way[index] === name))) kept.push(way)
  }
  return kept
}

/** Whether two versions of a record are the same in all that is read of it. */
export function readAlike(one: JsonObject, other: JsonObject, ways: readonly Way[]): boolean {
  return ways.every((way) => alikeAt(one, other, way))
}

function alikeAt(one: JsonObject, other: JsonObject, way: Way): boolean {
  let [left, right]: (Json | undefined)[] = [one, other]
  for (const name of way) {
    // What is no object fails by what it is.
    if (left === right || !isJsonObject(left) || !isJsonObject(right)) break
    left = field(left, name)
    right = field(right, name)
  }
  return left === right || (left !== undefined && right !== undefined && rawEqual(left, right))
}

/** What an expression reads, itself or by `last_change`. `own`: the names of the loops around it. */
function readsIn(node: ASTNode, about: ExpectedSubject, own: readonly string[]): readonly Read[] {
  const read = readAt(node, about, own)
  if (read !== null) return [read]
  if (node.op === 'call' && node.args[0] === 'last_change') {
    const [asked] = node.args[1]
    const changed = resourcesSeenBy(about).filter((resource) => asked?.op === 'value' && asked.args === resource)
    return changed.map((resource) => ({ resource, way: ALL }))
  }
  if (!isLoop(node)) return childrenOf(node).flatMap((child) => readsIn(child, about, own))
  const [, list, [variable, ...body]] = node.args
  const inner = variable?.op === 'id' ? [...own, variable.args] : own
  return [...readsIn(list, about, own), ...body.flatMap((part) => readsIn(part, about, inner))]
}

/** The field that names alone lead to, such as `shipment.route["origin_port_unlocode"]`; null: the expression is another one. */
function readAt(node: ASTNode, about: ExpectedSubject, own: readonly string[]): Read | null {
  const [name, ...way] = pathOf(node) ?? []
  if (name === undefined || own.includes(name) || !Object.hasOwn(SEEN_BY[about], name)) return null
  const seen = SEEN_BY[about][name]
  return seen === undefined ? null : { resource: seen.resource, way: seen.many ? ALL : way }
}
