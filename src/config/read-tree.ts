import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml'
import type { BrokenNode, ConfigNode, ScalarNode } from './config-node.ts'
import { problemAt, type Position, type Problem } from './problem.ts'
import { interpolate, type Variables } from './variables.ts'
import { unshieldVariables, type YamlSource } from './yaml-source.ts'

const MOST_NODES = 20_000
const DEEPEST = 64

interface Place {
  readonly at: Position
  readonly keyAt: Position
}

/**
 * Turns parsed YAML into nodes: aliases and merge keys resolved, variables replaced. Bounded: a file whose aliases multiply
 * (a billion laughs) or contain themselves is reported, not expanded.
 */
export class TreeReader {
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

  read(node: unknown, keyAt: Position, depth = 0): ConfigNode {
    const at = node === null || node === undefined ? keyAt : this.#source.positionOf(node)
    this.#nodes += 1
    if (this.#nodes > MOST_NODES || depth > DEEPEST) return this.#overflow({ at, keyAt })
    if (isAlias(node)) return { ...this.read(this.#target(node), keyAt, depth + 1), keyAt }
    if (isMap(node)) return { kind: 'map', at, keyAt, children: this.#entries(node, depth) }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item, this.#source.positionOf(item), depth + 1))
      return { kind: 'list', at, keyAt, children: new Map(items.map((item, index) => [String(index), item])) }
    }
    const scalar = this.text(isScalar(node) ? node.value : null, { at, keyAt })
    return isScalar(node) ? withTextAt(scalar, node) : scalar
  }

  /** A scalar with its variables replaced. */
  text(value: unknown, place: Place): ScalarNode | BrokenNode {
    if (typeof value !== 'string') return { kind: 'scalar', ...place, value: otherScalar(value), drawn: [] }
    const result = interpolate(unshieldVariables(value), this.#variables)
    if (result.kind === 'text') {
      const { drawn, isDefault, text } = result
      return { kind: 'scalar', ...place, value: text, drawn, ...(isDefault && { isDefault }) }
    }
    for (const reason of result.reasons) this.#report(problemAt(place.at, reason))
    return { kind: 'broken', ...place }
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
      const value = this.read(pair.value, keyAt, depth + 1)
      if (isMergeKey(pair)) this.#merge(merged, value)
      else if (isScalar(pair.key) && pair.key.value === '__proto__')
        this.#report(problemAt(keyAt, 'no key can be `__proto__`'))
      else own.set(isScalar(pair.key) ? unshieldVariables(String(pair.key.value)) : '', value)
    }
    return new Map([...merged, ...own])
  }

  /** Earlier sources win over later ones (yaml.org/type/merge). */
  #merge(into: Map<string, ConfigNode>, value: ConfigNode): void {
    for (const source of value.kind === 'list' ? value.children.values() : [value]) {
      if (source.kind === 'map') {
        for (const [key, node] of source.children) if (!into.has(key)) into.set(key, node)
      } else if (source.kind !== 'broken') {
        this.#report(problemAt(source.at, '`<<` merges a mapping (an alias of one), or a list of them'))
      }
    }
  }

  #overflow(place: Place): BrokenNode {
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
  if (node.kind === 'scalar' && node.value === null && source) return { ...node, textAt: node.at }
  if (node.kind === 'broken' || node.drawn.length > 0 || typeof node.value !== 'string' || !range) return node
  const quotes = type === 'PLAIN' ? 0 : 1
  const isVerbatim = node.value === source && range[1] - range[0] === source.length + 2 * quotes
  return isVerbatim ? { ...node, textAt: { ...node.at, column: node.at.column + quotes } } : node
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && (key.type === undefined || key.type === 'PLAIN') && key.value === '<<'
}

function otherScalar(value: unknown): number | boolean | null {
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}
