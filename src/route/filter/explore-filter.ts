import type { ASTNode } from '@marcbachmann/cel-js'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { celEnvironment } from './cel-environment.ts'
import { EvaluationMeter } from './evaluation-meter.ts'
import { LinearPatterns } from './linear-patterns.ts'
import { childrenOf, isLoop } from './syntax-tree.ts'

/** What an expression is tried on. */
export interface Known {
  /** Samples of the payloads that it will judge. `null` in them stands for what may be anything. */
  readonly payloads: readonly JsonObject[]
  /** By the name of a field, every list of words that such a field may be one of. */
  readonly words: Readonly<Record<string, readonly (readonly string[])[]>>
}

/** A part of an expression that never comes true as it was probably meant. */
export interface StrangePart {
  /** `field`: no payload has it; `word`: it is never this. */
  readonly kind: 'field' | 'word'
  /** Characters into the expression. */
  readonly offset: number
  /** What is compared, as written: for `field` the field itself. */
  readonly path: string
  /** The last name of the field; the word. */
  readonly name: string
  /** What there is instead. */
  readonly known: readonly string[]
}

/** Fields that no payload has, and words that a field never is. What is asked for by `has`, or by `in` a record, may be missing. */
export function exploreFilter(expression: string, known: Known): readonly StrangePart[] {
  const meters = { patterns: new LinearPatterns(), meter: new EvaluationMeter() }
  const { ast } = celEnvironment(meters).parse(expression)
  const explorer = new Explorer(known, new Set(guardsIn(ast)))
  explorer.valuesOf(ast, new Map())
  return explorer.found
}

/** Values that a part has in the samples; null: not known. */
type Values = readonly Json[] | null
type Scope = ReadonlyMap<string, Values>

class Explorer {
  readonly found: StrangePart[] = []
  readonly #known: Known
  readonly #guarded: ReadonlySet<string>

  constructor(known: Known, guarded: ReadonlySet<string>) {
    this.#known = known
    this.#guarded = guarded
  }

  valuesOf(node: ASTNode, scope: Scope): Values {
    if (node.op === 'id') return scope.get(node.args) ?? this.#payloadField(node.args, scope)
    if (node.op === '.') {
      const [of, name] = node.args
      return this.#member(node, { of, name, at: node.range.end - name.length }, scope)
    }
    if (node.op === '[]') return this.#element(node, scope)
    if (node.op === 'call' && node.args[0] === 'has') return this.#guard(node.args[1], scope)
    if (isLoop(node)) return this.#loop(node.args, scope)
    if (node.op === '==' || node.op === '!=' || node.op === 'in') this.#compare(...node.args, scope)
    for (const child of childrenOf(node)) this.valuesOf(child, scope)
    return null
  }

  #payloadField(name: string, scope: Scope): Values {
    if (scope.has(name)) return null
    return this.#known.payloads.map((payload) => field(payload, name) ?? null)
  }

  /** `has(a.b)` asks for `b`: only `a` must be there. */
  #guard(asked: readonly ASTNode[], scope: Scope): null {
    for (const node of asked) this.valuesOf(node.op === '.' ? node.args[0] : node, scope)
    return null
  }

  #element(node: Extract<ASTNode, { readonly op: '[]' }>, scope: Scope): Values {
    const [of, index] = node.args
    if (index.op === 'value' && typeof index.args === 'string')
      return this.#member(node, { of, name: index.args, at: index.range.start }, scope)
    this.valuesOf(index, scope)
    return elementsOf(this.valuesOf(of, scope))
  }

  #member(
    node: ASTNode,
    { of, name, at }: { readonly of: ASTNode; readonly name: string; readonly at: number },
    scope: Scope,
  ): Values {
    const whole = this.valuesOf(of, scope)
    if (whole === null || this.#guarded.has(written(node)) || whole.every((value) => value === null)) return null
    const objects = whole.filter(isJsonObject)
    const having = objects.filter((value) => Object.hasOwn(value, name))
    if (having.length > 0) return having.map((value) => field(value, name) ?? null)
    const known = [...new Set(objects.flatMap((value) => Object.keys(value)))]
    this.found.push({ kind: 'field', offset: at, path: written(node), name, known })
    return null
  }

  #loop([name, list, [variable, ...body]]: readonly [string, ASTNode, readonly ASTNode[]], scope: Scope): Values {
    const elements = elementsOf(this.valuesOf(list, scope))
    // With two variables, the first is the place.
    const isSingle = body.length === 1 || name === 'map'
    const inner = new Map(scope)
    if (variable?.op === 'id') inner.set(variable.args, isSingle ? elements : null)
    if (!isSingle && body[0]?.op === 'id') inner.set(body[0].args, null)
    for (const part of body) this.valuesOf(part, inner)
    return name === 'filter' && elements !== null ? [elements] : null
  }

  #compare(left: ASTNode, right: ASTNode, scope: Scope): void {
    const [value, literals] = left.op === 'value' ? [right, [left]] : [left, right.op === 'list' ? right.args : [right]]
    const words = this.#wordsOf(value, scope)
    if (words === null) return
    for (const literal of literals) {
      if (literal.op !== 'value' || typeof literal.args !== 'string' || words.includes(literal.args)) continue
      const { start: offset } = literal.range
      this.found.push({ kind: 'word', offset, path: written(value), name: literal.args, known: words })
    }
  }

  /** The list of words that all values of a field are of in the samples, among the lists for a field of this name; null: none. */
  #wordsOf(node: ASTNode, scope: Scope): readonly string[] | null {
    const name = lastName(node)
    if (name === null || scope.has(name) || !Object.hasOwn(this.#known.words, name)) return null
    const quiet = new Explorer(this.#known, this.#guarded)
    const values = quiet.valuesOf(node, scope)?.filter((value) => value !== null) ?? []
    if (values.length === 0) return null
    const lists = this.#known.words[name] ?? []
    return lists.find((words) => values.every((value) => typeof value === 'string' && words.includes(value))) ?? null
  }
}

/** The last name of a path: `b` of `a.b` and of `a["b"]`. */
function lastName(node: ASTNode): string | null {
  if (node.op === 'id') return node.args
  if (node.op === '.') return node.args[1]
  const index = node.op === '[]' ? node.args[1] : null
  return index?.op === 'value' && typeof index.args === 'string' ? index.args : null
}

function elementsOf(values: Values): Values {
  const elements = values?.filter(isJsonArray).flat() ?? []
  return elements.length === 0 ? null : elements
}

/** What the expression asks for before it reaches into it: `has(a.b)`, `"b" in a`. */
function guardsIn(node: ASTNode): readonly string[] {
  const inside = childrenOf(node).flatMap(guardsIn)
  if (node.op === 'call' && node.args[0] === 'has') return [...inside, ...node.args[1].map(written)]
  if (node.op !== 'in') return inside
  const [key, of] = node.args
  return key.op === 'value' && typeof key.args === 'string' ? [...inside, `${written(of)}.${key.args}`] : inside
}

/** Without spaces, and `a["b"]` as `a.b`. */
function written({ input, range }: ASTNode): string {
  return input
    .slice(range.start, range.end)
    .replaceAll(/\s+/g, '')
    .replaceAll(/\[(["'])([^"'\]]*)\1\]/g, '.$2')
}
