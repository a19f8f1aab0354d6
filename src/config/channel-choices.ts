import { CHANNEL_KINDS, type AnyRules } from './channel-kinds.ts'
import { childOf, entriesOf, type ConfigNode, type MapNode, type Path } from './config-node.ts'
import { problemAt, type Position, type Problem } from './problem.ts'

interface Choice extends Pick<AnyRules, 'beside' | 'needs' | 'refuses'> {
  /** The key that chooses the kind. */
  readonly key: string
  readonly own: readonly string[]
}

const CHOICES: readonly Choice[] = Object.values<AnyRules>(CHANNEL_KINDS).flatMap(({ chosenBy, own, ...rules }) =>
  Object.keys(chosenBy).map((key) => ({ ...rules, key, own: Object.keys(own) })),
)

/** A subscription has exactly one channel, with the keys of that channel: what is wrong, and in which subscriptions. */
export function channelChoices(root: ConfigNode): readonly { readonly path: Path; readonly problem: Problem }[] {
  return entriesOf(childOf(root, 'subscriptions')).flatMap(([name, node]) => {
    const problem = node.kind === 'map' ? whatIsWrong(node, name) : null
    return problem === null ? [] : [{ path: ['subscriptions', name], problem }]
  })
}

function whatIsWrong(node: MapNode, name: string): Problem | null {
  const has = (key: string): boolean => node.children.has(key)
  const keyAt = (key: string): Position => childOf(node, key)?.keyAt ?? node.keyAt
  const [chosen, second] = CHOICES.filter(({ key }) => has(key))
  if (chosen === undefined) return problemAt(node.keyAt, `one of ${listed(CHOICES)} is missing in \`${name}\``)
  if (second !== undefined) {
    const both = `\`${chosen.key}\` and \`${second.key}\``
    return problemAt(keyAt(second.key), `a subscription has one channel: ${both} exclude each other`)
  }
  const { beside } = chosen
  const besides = beside !== undefined && has(beside.key) ? beside : undefined
  const mine = new Set([...chosen.own, ...Object.keys(besides?.takes ?? {})])
  const stranger = CHOICES.flatMap(({ own }) => own).find((key) => !mine.has(key) && has(key))
  if (stranger !== undefined) {
    const owners = listed(CHOICES.filter(({ own }) => own.includes(stranger)))
    return problemAt(keyAt(stranger), `\`${stranger}\` belongs to ${owners}, not to \`${chosen.key}\``)
  }
  const refused = Object.entries({ ...chosen.refuses, ...besides?.refuses }).find(([key]) => has(key))
  if (refused !== undefined) return problemAt(keyAt(refused[0]), refused[1])
  const missing = chosen.needs?.find((key) => !has(key) && besides?.spares.includes(key) !== true)
  return missing === undefined ? null : problemAt(node.keyAt, `\`${missing}\` is missing in \`${name}\``)
}

/** `a`, `b` and `c` */
function listed(choices: readonly Choice[]): string {
  const names = choices.map(({ key }) => `\`${key}\``)
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ')
}
