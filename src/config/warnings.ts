import { formatInstant } from '../model/instant.ts'
import type { ChannelKind, ChannelSettings } from '../model/subscription.ts'
import { shortTokens } from './access-tokens.ts'
import { isLoopback } from './addresses.ts'
import { rulesOf } from './channel-kinds.ts'
import { bodyWarnings } from './bodies.ts'
import { childOf, entriesOf, nodeAt, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { matchesAccountEvents } from './event-patterns.ts'
import { expectationWarnings } from './expectation-problems.ts'
import { filterWarnings } from './filter-warnings.ts'
import { listed } from './names.ts'
import { networkWarning, refusedTarget } from './network-warnings.ts'
import { omitWarnings } from './omit-warnings.ts'
import { placeholderWarnings } from './placeholder-warnings.ts'
import { problemAt, type Problem } from './problem.ts'
import { startWarnings } from './start-warnings.ts'
import { readCertificates } from './tls.ts'
import { watchWarnings } from './watch-warnings.ts'

/** What is valid and probably not meant. */
export function warningsOf(config: Config, root: ConfigNode, now: number): readonly Problem[] {
  return [
    ...unwatchedAccounts(config, root),
    ...plainPlatforms(config, root),
    ...versionedPlatforms(config, root),
    ...placeholderWarnings(root),
    ...plainReceivers(config, root),
    ...refusedReceivers(config, root),
    ...strangeNetworks(config, root),
    ...filterWarnings(config, root),
    ...omitWarnings(config, root),
    ...bodyWarnings(config, root),
    ...startWarnings(config, root),
    ...expectationWarnings(config, root),
    ...watchWarnings(config, root),
    ...certificateWarnings(root, now),
    ...shortTokens(config, root),
    ...unheardAccounts(config, root),
  ]
}

function warn(root: ConfigNode, path: readonly string[], message: string): Problem {
  const node = nodeAt(root, path)
  return problemAt(path.length === 2 ? node.keyAt : node.at, message, 'warning')
}

function unwatchedAccounts({ accounts }: Config, root: ConfigNode): readonly Problem[] {
  if (accounts.length === 0)
    return [problemAt(nodeAt(root, ['accounts']).keyAt, 'there is no account: nothing is read', 'warning')]
  return accounts
    .filter(({ watch }) => Object.keys(watch).length === 0)
    .map(({ name }) =>
      warn(root, ['accounts', name], `account \`${name}\` watches nothing: add \`watch: { shipments: {} }\``),
    )
}

/** Names by the place that they share: a default stands once for many. */
function byPlace(named: readonly { readonly name: string; readonly path: readonly string[] }[], root: ConfigNode) {
  return [...Map.groupBy(named, ({ path }) => nodeAt(root, path))].map(([node, group]) => ({
    at: node.at,
    names: group.map(({ name }) => name),
  }))
}

function plainPlatforms({ accounts }: Config, root: ConfigNode): readonly Problem[] {
  const plain = accounts
    .filter(({ baseUrl }) => isPlain(baseUrl))
    .map(({ name }) => ({ name, path: ['accounts', name, 'base_url'] }))
  return byPlace(plain, root).map(({ at, names: [first = '', ...others] }) => {
    const keys =
      others.length === 0 ? `API key of \`${first}\` travels` : `API keys of ${listed([first, ...others])} travel`
    return problemAt(at, `the ${keys} unencrypted: use https`, 'warning')
  })
}

/** What a documentation shows as the beginning of every address is appended here. */
const VERSION_AT_END = /\/v\d+(?:\/[\w-]+)?\/*$/i

function versionedPlatforms({ accounts }: Config, root: ConfigNode): readonly Problem[] {
  const versioned = accounts
    .filter(({ baseUrl }) => VERSION_AT_END.test(new URL(baseUrl).pathname))
    .map(({ name }) => ({ name, path: ['accounts', name, 'base_url'] }))
  const message =
    '`base_url` has the version of the interface at its end, which is appended to it (`/v1/shipments`): leave it out'
  return byPlace(versioned, root).map(({ at }) => problemAt(at, message, 'warning'))
}

/** Said once, whatever the number of subscriptions. */
function plainReceivers({ subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const plain = subscriptions.flatMap(({ name, channel }) => {
    const target = targetOf(channel)
    return target !== null && isPlain(target.url) ? [{ name, path: ['subscriptions', name, ...target.path] }] : []
  })
  const [first] = plain
  if (first === undefined) return []
  const names = listed(plain.map(({ name }) => name))
  return [warn(root, first.path, `events travel unencrypted over http (${names}): use https`)]
}

function refusedReceivers({ subscriptions, delivery }: Config, root: ConfigNode): readonly Problem[] {
  const refused = subscriptions.flatMap(({ name, channel }) => {
    const target = targetOf(channel)
    const why = target === null ? null : refusedTarget(target.url, delivery.allowNetworks)
    return target === null || why === null ? [] : [{ name, path: ['subscriptions', name, ...target.path], why }]
  })
  return [...Map.groupBy(refused, ({ why }) => why)].flatMap(([why, group]) =>
    byPlace(group, root).map(({ at, names }) => {
      const to = names.length === 1 ? `\`${names.join('')}\`` : listed(names)
      return problemAt(at, `every delivery to ${to} will be refused: ${why}`, 'warning')
    }),
  )
}

/** What is dialled for a subscription, and where the file says so; null where the guard has no say. */
function targetOf<K extends ChannelKind>(
  channel: ChannelSettings<K>,
): { readonly url: string; readonly path: readonly string[] } | null {
  const { dials } = rulesOf(channel)
  if (dials === null) return null
  return { url: dials.url(channel), path: typeof dials.at === 'function' ? dials.at(channel) : dials.at }
}

function strangeNetworks({ delivery, runtimeSubscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const lists = [
    { path: ['delivery', 'allow_networks'], networks: delivery.allowNetworks },
    { path: ['runtime_subscriptions', 'allow', 'networks'], networks: runtimeSubscriptions?.allow.networks ?? [] },
  ]
  return lists.flatMap(({ networks, path }) =>
    networks.flatMap((network, index) => {
      const message = networkWarning(network)
      return message === null ? [] : [warn(root, [...path, String(index)], message)]
    }),
  )
}

/** Certificates that are out of date now. They leave a configuration valid: a restart must not fail at midnight. */
function certificateWarnings(root: ConfigNode, now: number): readonly Problem[] {
  const holders = ['accounts', 'subscriptions'].flatMap((key) => entriesOf(childOf(root, key)).map(([, node]) => node))
  const pems = [...holders, childOf(root, 'smtp')].flatMap((holder) =>
    (['ca', 'cert'] as const).map((key) => ({ key, node: childOf(childOf(holder, 'tls'), key) })),
  )
  return pems.flatMap(({ key, node }) =>
    node?.kind !== 'scalar'
      ? []
      : outOfDate(String(node.value), now).map((reason) =>
          problemAt(node.at, `\`${key}\` holds a certificate that ${reason}`, 'warning'),
        ),
  )
}

function outOfDate(pem: string, now: number): readonly string[] {
  return readCertificates(pem).flatMap(({ validFromDate, validToDate }) => {
    if (validToDate.getTime() < now) return [`expired on ${day(validToDate)}: have it renewed`]
    return validFromDate.getTime() > now ? [`is not valid before ${day(validFromDate)}`] : []
  })
}

function day(date: Date): string {
  return formatInstant(date.getTime()).slice(0, 10)
}

function unheardAccounts({ accounts, subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const listeners = subscriptions.filter(
    ({ enabled, alert, events }) => enabled && (alert || matchesAccountEvents(events)),
  )
  const unmatched = accounts.filter(
    ({ name }) => !listeners.some(({ alert, accounts }) => alert || accounts === null || accounts.includes(name)),
  )
  if (unmatched.length === 0) return []
  const whose = unmatched.length === accounts.length ? '' : ` of ${listed(unmatched.map(({ name }) => name))}`
  const message = `nothing hears \`account.*\`${whose}: nobody is told when the platform cannot be read; add it to a subscription's events, or name one as \`delivery.alert\``
  return [problemAt(nodeAt(root, ['subscriptions']).keyAt, message, 'warning')]
}

function isPlain(address: string): boolean {
  const url = new URL(address)
  return url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
}
