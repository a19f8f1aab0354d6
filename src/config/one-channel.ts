import { childOf, type MapNode } from './config-node.ts'
import { problemAt } from './problem.ts'
import type { Reading } from './shape.ts'

/** The keys that name a channel, beside those that mean something for it alone. */
const CHANNELS = {
  url: ['secret', 'payload', 'format', 'headers', 'tls'],
  slack: ['template'],
  email: ['digest', 'template'],
  svix: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

type ChannelKey = keyof typeof CHANNELS

/** A subscription has exactly one channel, with the keys of that channel. Reports what is wrong; returns whether all is right. */
export function hasOneChannel(node: MapNode, name: string, reading: Reading): boolean {
  const names: readonly ChannelKey[] = ['url', 'slack', 'email', 'svix']
  const given = names.filter((key) => node.entries.has(key))
  const [channel, second] = given
  if (channel === undefined)
    return refuse(node.keyAt, `one of \`url\`, \`slack\`, \`email\` and \`svix\` is missing in \`${name}\``)
  if (second !== undefined) {
    return refuse(keyAt(second), `a subscription has one channel: \`${channel}\` and \`${second}\` exclude each other`)
  }
  const stranger = strangers(channel).find((key) => node.entries.has(key))
  if (stranger !== undefined) {
    const owners = names.filter((other) => isKeyOf(other, stranger)).map((other) => `\`${other}\``)
    return refuse(keyAt(stranger), `\`${stranger}\` belongs to ${owners.join(' and ')}, not to \`${channel}\``)
  }
  if (channel === 'slack' && node.entries.has('concurrency')) {
    return refuse(keyAt('concurrency'), '`concurrency` is not for `slack`: its messages go one after another')
  }
  const missing = channel === 'url' && !node.entries.has('secret')
  return missing ? refuse(node.keyAt, `\`secret\` is missing in \`${name}\``) : true

  function keyAt(key: string): MapNode['keyAt'] {
    return childOf(node, key)?.keyAt ?? node.keyAt
  }

  function refuse(at: MapNode['keyAt'], message: string): false {
    reading.report(problemAt(at, message))
    return false
  }
}

/** The keys that mean something for other channels only. */
function strangers(channel: ChannelKey): readonly string[] {
  return Object.values(CHANNELS)
    .flat()
    .filter((key) => !isKeyOf(channel, key))
}

function isKeyOf(channel: ChannelKey, key: string): boolean {
  return CHANNELS[channel].some((each) => each === key)
}
