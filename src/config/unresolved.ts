import { childOf, nodeAt, withReplaced, type ConfigNode, type ScalarNode } from './config-node.ts'
import { problemAt, quoted, type Problem } from './problem.ts'
import { UNRESOLVED } from './variables.ts'

type StandInKind = 'url' | 'token' | 'secret' | 'channel' | 'mail' | 'smtp' | 'key'

/** The texts that take the place of secrets and addresses; `name` tells places apart. */
const STAND_INS: Readonly<Record<StandInKind, (name: string) => string>> = {
  url: (name) => `https://${name}.invalid/`,
  token: (name) => `unresolved-${name}`,
  secret: () => `whsec_${Buffer.alloc(24).toString('base64')}`,
  channel: () => 'C0000000000',
  mail: (name) => `${name}@unresolved.invalid`,
  smtp: () => 'smtp://unresolved.invalid',
  key: () => Buffer.alloc(32).toString('base64'),
}

/** Where of a subscription its events go. */
const TARGETS: Readonly<Record<string, StandInKind>> = {
  url: 'url',
  'slack.url': 'url',
  'slack.channel': 'channel',
  'slack.api_url': 'url',
  'teams.url': 'url',
  'google_chat.url': 'url',
  'mattermost.url': 'url',
  'rocketchat.url': 'url',
  'email.to.*': 'mail',
  'email.from': 'mail',
  'svix.server': 'url',
  'svix.app': 'token',
}

const SECRETS: Readonly<Record<string, StandInKind>> = {
  secret: 'secret',
  'secret.*': 'secret',
  'slack.token': 'token',
  'slack.signing_secret': 'token',
  'svix.token': 'token',
}

const ACCOUNTS = ['accounts.*', 'defaults.account']
const SUBSCRIPTIONS = ['subscriptions.*', 'defaults.subscription']

interface Place {
  readonly steps: readonly string[]
  readonly kind: StandInKind
}

/** Which stand-in a place takes. */
const PLACES: readonly Place[] = [
  ...placesUnder(ACCOUNTS, { base_url: 'url', api_key: 'token' }),
  ...placesUnder(SUBSCRIPTIONS, { ...TARGETS, ...SECRETS }),
  ...placesUnder(['http'], { token: 'token', viewer_token: 'token', 'tokens.*.token': 'token' }),
  ...placesUnder(['ping', 'smtp'], { url: 'url' }),
  ...placesUnder(['runtime_subscriptions'], { key: 'key' }),
  { steps: ['smtp'], kind: 'smtp' },
]

function placesUnder(sections: readonly string[], keys: Readonly<Record<string, StandInKind>>): readonly Place[] {
  return sections.flatMap((section) =>
    Object.entries(keys).map(([key, kind]) => ({
      steps: [...section.split('.'), ...key.split('.')],
      kind: section === 'smtp' ? 'smtp' : kind,
    })),
  )
}

/** Keys of a subscription that do not say what it is sent: whatever their variables hold, they may be left out. */
const BESIDE: ReadonlySet<string> = new Set([
  'headers',
  'timeout',
  'concurrency',
  'rate',
  'order',
  'watermark',
  'start',
  'remind',
  'allow_unresolved',
  'keep',
])

/** Ways to other machines, which say nothing of what goes there: their files may be secret, and are not read. */
const WAYS: ReadonlySet<string> = new Set(['tls', 'proxy'])

/**
 * The tree as it can be judged without its secrets: with a stand-in for each secret and each address that comes from variables, and without
 * what else is not known. A variable that decides what is sent, and has no value, is reported.
 */
export function withStandIns(root: ConfigNode, report: (problem: Problem) => void): ConfigNode {
  const holders = [...ACCOUNTS, ...SUBSCRIPTIONS, 'smtp'].map((holder) => holder.split('.'))
  const bare = holders.reduce((tree, holder) => withReplaced(tree, holder, (node) => node && withoutWays(node)), root)
  return standing(bare, [], report) ?? bare
}

function withoutWays(node: ConfigNode): ConfigNode {
  if (node.kind !== 'map') return node
  return { ...node, children: new Map([...node.children].filter(([key]) => !WAYS.has(key))) }
}

/** The node as it is judged; null: it is left out. */
function standing(node: ConfigNode, path: readonly string[], report: (problem: Problem) => void): ConfigNode | null {
  if (node.kind === 'broken') return node
  if (node.kind !== 'scalar') {
    const children = [...node.children].flatMap(([key, child]) => {
      const stood = standing(child, [...path, key], report)
      return stood === null ? [] : [[key, stood] as const]
    })
    return { ...node, children: new Map(children) }
  }
  if (node.drawn.length === 0) return node
  const place = PLACES.find(({ steps }) => isAt(steps, path))
  if (place !== undefined) return { ...node, value: STAND_INS[place.kind](nameOf(path)), drawn: [] }
  if (!isUnresolved(node)) return node
  if (!isDeciding(path)) return null
  const key = path.findLast((step) => !/^\d+$/.test(step)) ?? ''
  report(
    problemAt(
      node.at,
      `${quoted(key)} decides what is sent, and ${quoted(writtenOf(node))} in it has no value: set it`,
    ),
  )
  return { kind: 'broken', at: node.at, keyAt: node.keyAt }
}

function isAt(steps: readonly string[], path: readonly string[]): boolean {
  return steps.length === path.length && steps.every((step, nth) => step === '*' || step === path[nth])
}

function isUnresolved({ drawn }: ScalarNode): boolean {
  return drawn.some((text) => text.startsWith(UNRESOLVED))
}

/** Whether nothing can be said of what is sent while this is not known. */
function isDeciding(path: readonly string[]): boolean {
  const [section, name, key = ''] = path
  const last = path.at(-1) ?? ''
  if (section === 'subscriptions' || (section === 'defaults' && name === 'subscription'))
    return !BESIDE.has(key) && !BESIDE.has(last)
  return section === 'include' || section === 'expectations' || (section === 'delivery' && name === 'alert')
}

/** A label of a host name that stands for a path. */
function nameOf(path: readonly string[]): string {
  const label = path.join('-').replaceAll(/[^a-z0-9]+/g, '-')
  return label.slice(-60).replaceAll(/^-+|-+$/g, '')
}

function writtenOf({ value, written }: ScalarNode): string {
  return written ?? String(value)
}

/** Where the events of a subscription go, as its file says it: variables as they are written. Texts that are equal say the same place. */
export function targetOf(root: ConfigNode, subscription: string): string {
  const holder = nodeAt(root, ['subscriptions', subscription])
  return JSON.stringify(Object.keys(TARGETS).map((target) => writtenAt(holder, target.split('.'))))
}

function writtenAt(holder: ConfigNode, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return holder.kind === 'scalar' ? [writtenOf(holder)] : []
  if (step === '*')
    return holder.kind === 'list'
      ? [...holder.children.values()].flatMap((each) => writtenAt(each, rest)).toSorted()
      : []
  const child = childOf(holder, step)
  return child === undefined ? [] : writtenAt(child, rest)
}
