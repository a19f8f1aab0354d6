import type { ChannelSettings } from '../model/subscription.ts'
import type { KindRules } from './channel-kind.ts'
import { CHANNEL_KINDS } from './channel-kinds.ts'
import { childOf, type MapNode } from './config-node.ts'
import { problemAt } from './problem.ts'
import type { Reading } from './shape.ts'

interface Choice extends Pick<KindRules<ChannelSettings>, 'needs' | 'refuses'> {
  /** The key that chooses the kind. */
  readonly key: string
  readonly own: readonly string[]
}

/** A subscription has exactly one channel, with the keys of that channel. Reports what is wrong; returns whether all is right. */
export function hasOneChannel(node: MapNode, name: string, reading: Reading): boolean {
  const choices = Object.values(CHANNEL_KINDS).flatMap(choiceOf)
  const [chosen, second] = choices.filter(({ key }) => node.entries.has(key))
  if (chosen === undefined) return refuse(node.keyAt, `one of ${listed(choices)} is missing in \`${name}\``)
  if (second !== undefined) {
    const both = `\`${chosen.key}\` and \`${second.key}\``
    return refuse(keyAt(second.key), `a subscription has one channel: ${both} exclude each other`)
  }
  const stranger = choices.flatMap(({ own }) => own).find((key) => !chosen.own.includes(key) && node.entries.has(key))
  if (stranger !== undefined) {
    const owners = listed(choices.filter(({ own }) => own.includes(stranger)))
    return refuse(keyAt(stranger), `\`${stranger}\` belongs to ${owners}, not to \`${chosen.key}\``)
  }
  const refused = Object.entries(chosen.refuses ?? {}).find(([key]) => node.entries.has(key))
  if (refused !== undefined) return refuse(keyAt(refused[0]), refused[1])
  const missing = chosen.needs?.find((key) => !node.entries.has(key))
  return missing === undefined ? true : refuse(node.keyAt, `\`${missing}\` is missing in \`${name}\``)

  function keyAt(key: string): MapNode['keyAt'] {
    return childOf(node, key)?.keyAt ?? node.keyAt
  }

  function refuse(at: MapNode['keyAt'], message: string): false {
    reading.report(problemAt(at, message))
    return false
  }
}

function choiceOf({ chosenBy, own, ...rules }: (typeof CHANNEL_KINDS)[keyof typeof CHANNEL_KINDS]): readonly Choice[] {
  return Object.keys(chosenBy).map((key) => ({ ...rules, key, own: Object.keys(own) }))
}

/** `a`, `b` and `c` */
function listed(choices: readonly Choice[]): string {
  const names = choices.map(({ key }) => `\`${key}\``)
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ')
}
