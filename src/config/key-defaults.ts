import { childOf, entriesOf, isWrittenNull, withReplaced, type ConfigNode } from './config-node.ts'

/** Keys of `defaults`, by name. */
export type KeyDefaults = ReadonlyMap<string, ConfigNode>

/** The tree with each default where an account leaves its key out (`withDefaults`). */
export function withAccountDefaults(root: ConfigNode): ConfigNode {
  const account = defaultsIn(root, 'account')
  return withReplaced(root, ['accounts', '*'], (node) => node && filled(node, account, account))
}

/** Whether a node is the default for a key. */
export function isDefault(root: ConfigNode, node: ConfigNode): boolean {
  return (['account', 'subscription'] as const).some((section) =>
    [...defaultsIn(root, section).values()].includes(node),
  )
}

export function defaultsIn(root: ConfigNode, section: 'account' | 'subscription'): KeyDefaults {
  return new Map(entriesOf(childOf(childOf(root, 'defaults'), section)))
}

/** A node with the defaults that `fit` where it leaves their keys out; of `all`, a written `null` takes none. */
export function filled(node: ConfigNode, all: KeyDefaults, fit: KeyDefaults): ConfigNode {
  if (node.kind !== 'map' || all.size === 0) return node
  const own = [...node.children].filter(([key, child]) => !(all.has(key) && isWrittenNull(child)))
  const taken = [...fit].filter(([key]) => !node.children.has(key))
  return { ...node, children: new Map([...own, ...taken]) }
}
