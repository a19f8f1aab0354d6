import { CHANNEL_KINDS, type AnyRules } from './channel-kinds.ts'
import { childOf, entriesOf, isWrittenNull, withReplaced, type ConfigNode, type MapNode } from './config-node.ts'
import { defaultsIn, filled, withAccountDefaults, type KeyDefaults } from './key-defaults.ts'
import { problemAt, type Problem } from './problem.ts'

const KINDS = Object.values<AnyRules>(CHANNEL_KINDS)
const CHOOSING = new Set(KINDS.flatMap(({ chosenBy }) => Object.keys(chosenBy)))
const OF_A_CHANNEL = new Set(KINDS.flatMap(({ own }) => Object.keys(own)))

/**
 * The tree with each default where an account or subscription leaves its key out. A default stays the node that it is, so what
 * is wrong in it is reported where it stands. A written `null` takes no default.
 */
export function withDefaults(root: ConfigNode): ConfigNode {
  const subscription = defaultsIn(root, 'subscription')
  return withReplaced(
    withAccountDefaults(root),
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

/** The defaults that mean something for the channel that a subscription has: its own, else the default one. */
function fitting(node: ConfigNode, defaults: KeyDefaults): KeyDefaults {
  if (node.kind !== 'map') return defaults
  const own = [...CHOOSING].filter((key) => isChosen(node, key))
  const chosen = own.length > 0 ? own : [...CHOOSING].filter((key) => defaults.has(key) && !node.children.has(key))
  const kind = KINDS.find(({ chosenBy }) => chosen.some((key) => Object.hasOwn(chosenBy, key)))
  if (kind === undefined) return defaults
  const beside = kind.beside !== undefined && isTaken(node, kind.beside.key, defaults) ? kind.beside : undefined
  const fits = (key: string): boolean => {
    if (CHOOSING.has(key)) return own.length === 0
    if (Object.hasOwn({ ...kind.refuses, ...beside?.refuses }, key)) return false
    return !OF_A_CHANNEL.has(key) || Object.hasOwn({ ...kind.own, ...beside?.takes }, key)
  }
  return new Map([...defaults].filter(([key]) => fits(key)))
}

/** Whether a key has a value: the default where the node does not say otherwise. */
function isTaken(node: MapNode, key: string, defaults: KeyDefaults): boolean {
  return node.children.has(key) ? isChosen(node, key) : defaults.has(key)
}

function isChosen(node: MapNode, key: string): boolean {
  const child = node.children.get(key)
  return child !== undefined && !isWrittenNull(child)
}
