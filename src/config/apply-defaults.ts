import { CHANNEL_KINDS, type AnyRules } from './channel-kinds.ts'
import { childOf, entriesOf, isWrittenNull, withReplaced, type ConfigNode, type MapNode } from './config-node.ts'
import { problemAt, type Problem } from './problem.ts'

type Defaults = ReadonlyMap<string, ConfigNode>

const KINDS = Object.values<AnyRules>(CHANNEL_KINDS)
const CHOOSING = new Set(KINDS.flatMap(({ chosenBy }) => Object.keys(chosenBy)))
const OF_A_CHANNEL = new Set(KINDS.flatMap(({ own }) => Object.keys(own)))

/**
 * The tree with each default where an account or subscription leaves its key out. A default stays the node that it is, so what
 * is wrong in it is reported where it stands. A written `null` takes no default.
 */
export function withDefaults(root: ConfigNode): ConfigNode {
  const account = defaultsIn(root, 'account')
  const subscription = defaultsIn(root, 'subscription')
  const accounts = withReplaced(root, ['accounts', '*'], (node) => node && filled(node, account, account))
  return withReplaced(
    accounts,
    ['subscriptions', '*'],
    (node) => node && filled(node, subscription, fitting(node, subscription)),
  )
}

/** A channel is one choice, in `defaults` too. */
export function defaultChannels(root: ConfigNode): readonly Problem[] {
  const [first, second] = entriesOf(childOf(childOf(root, 'defaults'), 'subscription')).filter(([key]) =>
    CHOOSING.has(key),
  )
  if (first === undefined || second === undefined) return []
  const both = `\`${first[0]}\` and \`${second[0]}\``
  return [problemAt(second[1].keyAt, `a subscription has one channel: ${both} exclude each other`)]
}

/** Whether a node is the default for a key. */
export function isDefault(root: ConfigNode, node: ConfigNode): boolean {
  return (['account', 'subscription'] as const).some((section) =>
    [...defaultsIn(root, section).values()].includes(node),
  )
}

function defaultsIn(root: ConfigNode, section: 'account' | 'subscription'): Defaults {
  return new Map(entriesOf(childOf(childOf(root, 'defaults'), section)))
}

function filled(node: ConfigNode, all: Defaults, fit: Defaults): ConfigNode {
  if (node.kind !== 'map' || all.size === 0) return node
  const own = [...node.children].filter(([key, child]) => !(all.has(key) && isWrittenNull(child)))
  const taken = [...fit].filter(([key]) => !node.children.has(key))
  return { ...node, children: new Map([...own, ...taken]) }
}

/** The defaults that mean something for the channel that a subscription has: its own, else the default one. */
function fitting(node: ConfigNode, defaults: Defaults): Defaults {
  if (node.kind !== 'map') return defaults
  const own = [...CHOOSING].filter((key) => isChosen(node, key))
  const chosen = own.length > 0 ? own : [...CHOOSING].filter((key) => defaults.has(key) && !node.children.has(key))
  const kind = KINDS.find(({ chosenBy }) => chosen.some((key) => Object.hasOwn(chosenBy, key)))
  if (kind === undefined) return defaults
  const fits = (key: string): boolean => {
    if (CHOOSING.has(key)) return own.length === 0
    if (OF_A_CHANNEL.has(key)) return Object.hasOwn(kind.own, key)
    return !Object.hasOwn(kind.refuses ?? {}, key)
  }
  return new Map([...defaults].filter(([key]) => fits(key)))
}

function isChosen(node: MapNode, key: string): boolean {
  const child = node.children.get(key)
  return child !== undefined && !isWrittenNull(child)
}
