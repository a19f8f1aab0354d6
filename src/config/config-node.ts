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
  /** What of the value came from variables and files. Where anything did, the value is never shown. */
  readonly drawn: readonly string[]
  /** The text as the file has it, where variables are in it. */
  readonly written?: string
  /** Whether all variables of the node have the default that `:-` says; left out: none has. */
  readonly isDefault?: true
  /** Where the text begins, if it stands in the file character by character on one line; also of a written `null`. */
  readonly textAt?: Position
}

interface ListNode extends Placed {
  readonly kind: 'list'
  readonly children: ReadonlyMap<string, ConfigNode>
}

export interface MapNode extends Placed {
  readonly kind: 'map'
  readonly children: ReadonlyMap<string, ConfigNode>
}

/** A value whose problem is already reported. */
export interface BrokenNode extends Placed {
  readonly kind: 'broken'
}

export type Path = readonly PropertyKey[]

/** Stands for a broken value; no schema takes it. */
const BROKEN = Symbol('broken')

/** The value as plain data, as schemas judge it. */
export function plainValue(node: ConfigNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value
    case 'list':
      return [...node.children.values()].map(plainValue)
    case 'map':
      return Object.fromEntries([...node.children].map(([key, child]) => [key, plainValue(child)]))
    case 'broken':
      return BROKEN
    default:
      return node satisfies never
  }
}

/** Whether a part of a node is broken. */
export function holdsBroken(node: ConfigNode): boolean {
  return node.kind === 'broken' || childrenOf(node).some(([, child]) => holdsBroken(child))
}

/** Every text in it that came from variables and files. */
export function drawnTexts(node: ConfigNode): readonly string[] {
  return node.kind === 'scalar' ? node.drawn : childrenOf(node).flatMap(([, child]) => drawnTexts(child))
}

/** Whether a value stands in the file as it is: only such a value may be shown. */
export function isLiteral(node: ConfigNode): node is ScalarNode {
  return node.kind === 'scalar' && node.drawn.length === 0
}

export function isNull(node: ConfigNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** `null` or `~`: said, not forgotten. */
export function isWrittenNull(node: ConfigNode): boolean {
  return isNull(node) && node.kind === 'scalar' && node.textAt !== undefined
}

export function childOf(node: ConfigNode | undefined, key: PropertyKey): ConfigNode | undefined {
  return node?.kind === 'map' || node?.kind === 'list' ? node.children.get(String(key)) : undefined
}

/** What a mapping holds, by key, in the order of the file; nothing where it is none. */
export function entriesOf(node: ConfigNode | undefined): readonly (readonly [string, ConfigNode])[] {
  return node?.kind === 'map' ? [...node.children] : []
}

function childrenOf(node: ConfigNode): readonly (readonly [string, ConfigNode])[] {
  return node.kind === 'map' || node.kind === 'list' ? [...node.children] : []
}

/** The place of a character of a text; that of the value where it cannot be found. */
export function placeWithin(node: ConfigNode, offset: number | undefined): Position {
  if (offset === undefined || node.kind !== 'scalar' || node.textAt === undefined) return node.at
  return { ...node.textAt, column: node.textAt.column + offset }
}

/** The deepest node that a path reaches: a problem inside a value is reported at the nearest place there is. */
export function nodeAt(node: ConfigNode, [step, ...rest]: Path): ConfigNode {
  const child = step === undefined ? undefined : childOf(node, step)
  return child === undefined ? node : nodeAt(child, rest)
}

/** A tree with other nodes at a path, in which `*` is any key; `by` gets undefined where a mapping lacks the last. */
export function withReplaced(
  node: ConfigNode,
  [step, ...rest]: readonly string[],
  by: (node: ConfigNode | undefined, parent: MapNode) => ConfigNode | undefined,
): ConfigNode {
  if (node.kind !== 'map' || step === undefined) return node
  const children = new Map(node.children)
  for (const key of step === '*' ? node.children.keys() : [step]) {
    const child = node.children.get(key)
    const next = rest.length === 0 ? by(child, node) : child && withReplaced(child, rest, by)
    if (next !== undefined) children.set(key, next)
  }
  return { ...node, children }
}
