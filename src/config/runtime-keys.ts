import { z } from 'zod'
import type { Json, JsonObject } from '../model/json.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchedTypes, matchesPatterns } from '../route/matches.ts'
import { subscriptionOf } from './assemble-config.ts'
import { channelChoices } from './channel-choices.ts'
import { childOf, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { hostOf, namesHost } from './host-patterns.ts'
import { judge } from './judge.ts'
import { badNames, listed, unknownNames } from './names.ts'
import { nearestName } from './nearest-name.ts'
import { refusedTarget } from './network-warnings.ts'
import { quoted } from './problem.ts'
import type { RuntimeBounds } from './runtime-schema.ts'
import { entries } from './schema-parts.ts'
import { subscription as subscriptionSchema, type SubscriptionKeys } from './subscription-schema.ts'

/** The keys of the file that a subscription made at run time may have, beside its name. */
const KEYS = [
  'url',
  'events',
  'accounts',
  'where',
  'min_shift',
  'payload',
  'omit',
  'order',
  'rate',
  'start',
  'watermark',
  'headers',
]

/** Something wrong with what is asked for: `at` is the place in it, such as `accounts.0`; `says` a whole sentence without its stop. */
export interface RuntimeProblem {
  readonly at: string
  readonly says: string
}

/** What a subscription made at run time is assembled from. */
export interface RuntimeParts {
  readonly name: string
  /** The keys of the subscription, by the names that the file has of them. */
  readonly keys: JsonObject
  /** What signs, the newest first. */
  readonly secrets: readonly string[]
  /** The accounts that its owner sees; null: all. */
  readonly ownAccounts: readonly string[] | null
}

export type ReadRuntime =
  | { readonly subscription: Subscription; readonly problems: readonly [] }
  | { readonly subscription: null; readonly problems: readonly RuntimeProblem[] }

/**
 * The subscription that these keys make, judged as the file's are, and by what the file allows at run time. It is the same kind of thing
 * as one of the file; what it is not given is as in a file without `defaults`.
 */
export function readRuntime(parts: RuntimeParts, config: Config, bounds: RuntimeBounds): ReadRuntime {
  const { keys, name } = parts
  const strange = strangeKeys(keys)
  if (strange.length > 0) return failed(strange)
  const mine = within(bounds.accounts, parts.ownAccounts)
  const root = treeOf(
    parts,
    config.accounts.map((each) => each.name).filter((each) => mine?.includes(each) ?? true),
  )
  const choices = channelChoices(root)
  const judged = judge(
    SCHEMA,
    root,
    choices.map(({ path }) => path),
  )
  const problems = [
    ...badNames(root),
    ...choices.map(({ problem }) => problem),
    ...judged.problems,
    ...unknownNames(root),
  ].map(({ file, message }) => ({ at: file, says: message }))
  const own = judged.data?.subscriptions[name]
  if (own === undefined || problems.length > 0) return failed(distinct(problems))
  const outside = outOfBounds(own, bounds, parts.ownAccounts !== null)
  if (outside.length > 0) return failed(outside)
  const publicUrl = config.http?.publicUrl ?? null
  return { subscription: assembled(own, { root, bounds, parts, publicUrl }), problems: [] }
}

function failed(problems: readonly RuntimeProblem[]): ReadRuntime {
  return { subscription: null, problems }
}

const SCHEMA = z.object({ subscriptions: entries(subscriptionSchema, '') })

/** What is wrong with the names of the keys, whatever their values are. */
export function strangeKeys(keys: JsonObject): readonly RuntimeProblem[] {
  return Object.keys(keys)
    .filter((key) => !isKey(key))
    .map((key) => ({ at: key, says: unknownKey(key) }))
}

/** A key whose feature this version has not is refused as one of the file is. */
function isKey(key: string): boolean {
  return KEYS.includes(key) && Object.hasOwn(subscriptionSchema.shape, key)
}

function unknownKey(key: string): string {
  const known = KEYS.filter(isKey)
  const nearest = nearestName(key, known)
  const hint =
    nearest === undefined || nearest === key
      ? `the keys here are name, ${known.join(', ')}`
      : `did you mean \`${nearest}\`?`
  return `unknown key ${quoted(key)}: ${hint}`
}

/**
 * What is asked for as a file would have it, with the accounts that it may name; the place of a node says where it stands in what was
 * asked.
 */
function treeOf({ keys, name, secrets }: RuntimeParts, accounts: readonly string[]): ConfigNode {
  const asked = nodeOf(keys, '')
  const secret = nodeOf(secrets, 'secret')
  const children = new Map([...(asked.kind === 'map' ? asked.children : []), ['secret', secret]])
  const own: ConfigNode = { ...place('url'), kind: 'map', children }
  const known = new Map(accounts.map((each) => [each, nodeOf({}, '')]))
  return {
    ...place(''),
    kind: 'map',
    children: new Map<string, ConfigNode>([
      ['accounts', { ...place(''), kind: 'map', children: known }],
      [
        'subscriptions',
        { ...place(''), kind: 'map', children: new Map([[name, { ...own, keyAt: place('name').at }]]) },
      ],
    ]),
  }
}

function place(at: string): { readonly at: ConfigNode['at']; readonly keyAt: ConfigNode['at'] } {
  const position = { file: at, line: 1, column: 1 }
  return { at: position, keyAt: position }
}

function nodeOf(value: Json, at: string): ConfigNode {
  const below = (key: string | number): string => (at === '' ? String(key) : `${at}.${key}`)
  if (Array.isArray(value)) {
    const children = new Map(value.map((each, index) => [String(index), nodeOf(each, below(index))]))
    return { ...place(at), kind: 'list', children }
  }
  if (typeof value !== 'object' || value === null) return { ...place(at), kind: 'scalar', value, drawn: [] }
  const children = new Map(Object.entries(value).map(([key, each]) => [key, nodeOf(each, below(key))]))
  return { ...place(at), kind: 'map', children }
}

function distinct(problems: readonly RuntimeProblem[]): readonly RuntimeProblem[] {
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()]
}

/** What of it the file does not allow at run time, or not to its owner. */
function outOfBounds(
  { events, url = '' }: SubscriptionKeys,
  bounds: RuntimeBounds,
  isOfSomeAccounts: boolean,
): readonly RuntimeProblem[] {
  const strange = events.flatMap((pattern, index) =>
    isWithin(pattern, bounds.events) && !(isOfSomeAccounts && isOfNoAccount(pattern))
      ? []
      : [
          {
            at: `events.${index}`,
            says: `${quoted(pattern)} is more than may be asked for: ${bounds.events.join(', ')}`,
          },
        ],
  )
  const refused = wrongTarget(new URL(url), bounds)
  return [...strange, ...(refused === null ? [] : [{ at: 'url', says: refused }])]
}

/** Whether all that a pattern names may be asked for. */
function isWithin(pattern: string, allowed: readonly string[]): boolean {
  const named = { name: 'anybody', events: [pattern], accounts: null, alert: false }
  return matchedTypes(named).every((type) => matchesPatterns(allowed, type))
}

/** Whether a pattern names events that are of no account: of endpoints, and of Shipbell itself. */
function isOfNoAccount(pattern: string): boolean {
  const named = { name: 'anybody', events: [pattern], accounts: null, alert: false }
  return matchedTypes(named).some((type) => /^(?:endpoint|shipbell)\./.test(type))
}

/** The accounts of both; null: all. */
function within(some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null {
  if (some === null) return others
  return others === null ? some : some.filter((account) => others.includes(account))
}

/** Why a target may not be named; null where it may be: a name is judged again wherever it is dialled. */
function wrongTarget(url: URL, { hosts, networks }: RuntimeBounds): string | null {
  const host = hostOf(url)
  if (hosts !== null && !namesHost(hosts, host))
    return `\`url\` names the host ${host}: those that may be are ${listed(hosts)}`
  if (url.protocol !== 'https:' && networks.length === 0) return '`url` must start with https://'
  const refused = refusedTarget(url.href, networks)
  if (refused !== null) return `\`url\` names an address that may not be dialled for what is made at run time`
  if (url.protocol === 'https:' || refusedTarget(url.href, []) !== null || !isAddress(host)) return null
  return '`url` must start with https://: plain http will do only in the networks that are opened'
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(host)
}

interface Assembling {
  readonly root: ConfigNode
  readonly bounds: RuntimeBounds
  readonly parts: RuntimeParts
  readonly publicUrl: string | null
}

function assembled(keys: SubscriptionKeys, { bounds, parts, publicUrl, root }: Assembling): Subscription {
  const { name, ownAccounts } = parts
  const accounts = keys.accounts ?? within(bounds.accounts, ownAccounts) ?? undefined
  const around = {
    alert: false,
    smtp: undefined,
    node: childOf(childOf(root, 'subscriptions'), name),
    templates: new Map(),
    // A template of a stranger would be work of this process.
    body: null,
    // Whoever made it may have put a secret anywhere in them.
    drawn: (key: string) => (key === 'headers' ? Object.values(keys.headers) : []),
    publicUrl,
    untrusted: { networks: bounds.networks },
  }
  return subscriptionOf(name, { ...keys, accounts: accounts && [...accounts] }, around)
}
