import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml'
import type { BrokenNode, ConfigNode, ScalarNode } from './config-node.ts'
import { interpolate, type Variables } from './interpolate.ts'
import { problemAt, type Position, type Problem } from './problem.ts'
import type { YamlSource } from './parse-yaml.ts'
import { unshieldVariables } from './shield-variables.ts'

const MOST_NODES = 20_000
const DEEPEST = 64

/**
 * Turns parsed YAML into nodes: aliases and merge keys resolved, variables replaced. Bounded: a file whose aliases multiply
 * (a billion laughs) or contain themselves is reported, not expanded.
 */
export class Expander {
  readonly #source: YamlSource
  readonly #variables: Variables
  readonly #report: (problem: Problem) => void
  readonly #targets = new Map<Alias, Node | undefined>()
  #nodes = 0

  constructor(source: YamlSource, variables: Variables, report: (problem: Problem) => void) {
    this.#source = source
    this.#variables = variables
    this.#report = report
  }

  expand(node: unknown, keyAt: Position, depth = 0): ConfigNode {
    const at = node === null || node === undefined ? keyAt : this.#source.positionOf(node)
    this.#nodes += 1
    if (this.#nodes > MOST_NODES || depth > DEEPEST) return this.#overflow({ at, keyAt })
    if (isAlias(node)) return { ...this.expand(this.#target(node), keyAt, depth + 1), keyAt }
    if (isMap(node)) return { kind: 'map', at, keyAt, entries: this.#entries(node, depth) }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.expand(item, this.#source.positionOf(item), depth + 1))
      return { kind: 'list', at, keyAt, items }
    }
    const scalar = this.#scalar(isScalar(node) ? node.value : null, { at, keyAt })
    return isScalar(node) ? withTextAt(scalar, node) : scalar
  }

  /** A value that is not in the file: a default, with its variables replaced. */
  text(text: string, at: Position): ScalarNode | BrokenNode {
    return this.#scalar(text, { at, keyAt: at })
  }

  #target(alias: Alias): Node | undefined {
    const known = this.#targets.get(alias)
    if (known !== undefined) return known
    const target = alias.resolve(this.#source.document)
    this.#targets.set(alias, target)
    return target
  }

  #entries(map: YAMLMap, depth: number): ReadonlyMap<string, ConfigNode> {
    const merged = new Map<string, ConfigNode>()
    const own = new Map<string, ConfigNode>()
    for (const pair of map.items) {
      const keyAt = this.#source.positionOf(pair.key)
      const value = this.expand(pair.value, keyAt, depth + 1)
      if (isMergeKey(pair)) this.#merge(merged, value)
      else if (isScalar(pair.key) && pair.key.value === '__proto__')
        this.#report(problemAt(keyAt, 'no key can be `__proto__`'))
      else own.set(isScalar(pair.key) ? unshieldVariables(String(pair.key.value)) : '', value)
    }
    return new Map([...merged, ...own])
  }

  /** Earlier sources win over later ones (yaml.org/type/merge). */
  #merge(into: Map<string, ConfigNode>, value: ConfigNode): void {
    for (const source of value.kind === 'list' ? value.items : [value]) {
      if (source.kind === 'map') {
        for (const [key, node] of source.entries) if (!into.has(key)) into.set(key, node)
      } else if (source.kind !== 'broken') {
        this.#report(problemAt(source.at, '`<<` merges a mapping (an alias of one), or a list of them'))
      }
    }
  }

  #scalar(value: unknown, place: { readonly at: Position; readonly keyAt: Position }): ScalarNode | BrokenNode {
    if (typeof value !== 'string') return { kind: 'scalar', ...place, value: otherScalar(value), literal: true }
    const result = interpolate(unshieldVariables(value), this.#variables)
    if (result.kind === 'text') {
      const { text, drawn } = result
      return { kind: 'scalar', ...place, value: text, literal: drawn.length === 0, drawn }
    }
    for (const reason of result.reasons) this.#report(problemAt(place.at, reason))
    return { kind: 'broken', ...place }
  }

  #overflow(place: { readonly at: Position; readonly keyAt: Position }): BrokenNode {
    if (this.#nodes <= MOST_NODES + 1) {
      this.#nodes = MOST_NODES + 1
      this.#report(
        problemAt(place.at, `more than ${MOST_NODES} values or ${DEEPEST} levels, aliases expanded: make it smaller`),
      )
    }
    return { kind: 'broken', ...place }
  }
}

/** Escapes, folded lines and variables make the value another text than the one that stands in the file. */
function withTextAt(node: ScalarNode | BrokenNode, { range, source, type }: Scalar): ScalarNode | BrokenNode {
  if (node.kind === 'broken' || !node.literal || typeof node.value !== 'string' || !range) return node
  const quotes = type === 'PLAIN' ? 0 : 1
  const isVerbatim = node.value === source && range[1] - range[0] === source.length + 2 * quotes
  return isVerbatim ? { ...node, textAt: { line: node.at.line, column: node.at.column + quotes } } : node
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && isPlain(pair.key) && pair.key.value === '<<'
}

function isPlain(key: Scalar): boolean {
  return key.type === undefined || key.type === 'PLAIN'
}

function otherScalar(value: unknown): number | boolean | null {
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}
