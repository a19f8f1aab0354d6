import type { Json } from '../model/json.ts'
import type { Position } from './problem.ts'

/** A value of the file after aliases, merge keys and variables, with its place. */
export type ConfigNode = ScalarNode | ListNode | MapNode | BrokenNode

interface Placed {
  readonly at: Position
  /** The key that holds the value; the value's own place where there is none. */
  readonly keyAt: Position
}

export interface ScalarNode extends Placed {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  /** As written in the file, not made from a variable: only such values may be shown. */
  readonly literal: boolean
  /** What of it came from variables and files. */
  readonly drawn?: readonly string[]
  /** Where the text begins, if it stands in the file character by character on one line. */
  readonly textAt?: Position
}

interface ListNode extends Placed {
  readonly kind: 'list'
  readonly items: readonly ConfigNode[]
}

export interface MapNode extends Placed {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, ConfigNode>
}

/** A value whose problem is already reported. */
export interface BrokenNode extends Placed {
  readonly kind: 'broken'
}

/** The value as JSON; undefined where a part of it is broken. */
export function plainValue(node: ConfigNode): Json | undefined {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'list': {
      const items = node.items.map(plainValue)
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case 'map': {
      const entries = [...node.entries].map(([key, value]) => [key, plainValue(value)] as const)
      const whole = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
      return whole.length === entries.length ? Object.fromEntries(whole) : undefined
    }
    case 'broken':
      return undefined
    default:
      return node satisfies never
  }
}

/** Every text in it that came from variables and files. */
export function drawnTexts(node: ConfigNode): readonly string[] {
  switch (node.kind) {
    case 'scalar':
      return node.drawn ?? []
    case 'list':
      return node.items.flatMap(drawnTexts)
    case 'map':
      return [...node.entries.values()].flatMap(drawnTexts)
    case 'broken':
      return []
    default:
      return node satisfies never
  }
}

/** The deepest node that a path reaches: a problem inside a value is told at the nearest place there is. */
export function nodeAt(node: ConfigNode, path: readonly PropertyKey[]): ConfigNode {
  const [step, ...rest] = path
  if (step === undefined) return node
  const child = node.kind === 'list' ? node.items[Number(step)] : childOf(node, String(step))
  return child === undefined ? node : nodeAt(child, rest)
}

export function childOf(node: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key) : undefined
}
