import type { AccountSettings } from '../model/account.ts'
import type { ExpectationRule } from '../model/expectation.ts'
import type { ChannelKind, ChannelSettings, Subscription } from '../model/subscription.ts'
import type { BodyTemplate } from '../model/request-body.ts'
import { matchedTypes } from '../route/matches.ts'
import { tokensOf } from './access-tokens.ts'
import type { AccountKeys } from './account-schema.ts'
import type { NamedBodies } from './bodies.ts'
import { mailServerOf, type ConfigKeys } from './config-schema.ts'
import { channelOf, rulesOf } from './channel-kinds.ts'
import { childOf, drawnTexts, entriesOf, nodeAt, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { ruleOf } from './expectation-schema.ts'
import type { SubscriptionKeys } from './subscription-schema.ts'
import { proxyOf } from './addresses.ts'
import { runtimeSettingsOf } from './runtime-schema.ts'
import { storageOf } from './storage.ts'
import { tlsOf } from './tls.ts'
import { templatesByType, type NamedTemplates } from './templates.ts'
import { watchSettings } from './watch-settings.ts'

/** What the keys of a file stand among. */
export interface Origin {
  readonly file: string
  /** Absolute: relative paths start there. */
  readonly folder: string
  readonly root: ConfigNode
  readonly templates: NamedTemplates
  readonly bodies: NamedBodies
}

/** The keys of the file as the rest of Shipbell knows them, in its order. */
export function assembleConfig(keys: ConfigKeys, origin: Origin): Config {
  const { file, folder, root } = origin
  const rules = inOrder(keys.expectations, childOf(root, 'expectations')).map(([name, each]) => ({
    rule: ruleOf(name, each),
    accounts: each.accounts ?? null,
  }))
  return deepFreeze({
    file,
    accounts: inOrder(keys.accounts, childOf(root, 'accounts')).map(([name, account]) =>
      accountSettings(name, account, rules),
    ),
    subscriptions: inOrder(keys.subscriptions, childOf(root, 'subscriptions')).map(([name, subscription]) =>
      subscriptionOf(name, subscription, surroundingsOf(name, keys, origin)),
    ),
    delivery: { allowNetworks: keys.delivery.allow_networks, retryMs: keys.delivery.retry },
    retention: retentionOf(keys.retention),
    storage: storageOf(keys.storage, folder),
    http: keys.http && httpSettings(keys.http),
    ping: keys.ping === undefined ? null : { url: keys.ping.url, everyMs: keys.ping.every },
    runtimeSubscriptions: runtimeSettingsOf(keys.runtime_subscriptions),
    log: keys.log,
  })
}

const LEDGER_MS = 365 * 86_400_000

function retentionOf({ ledger, payloads }: ConfigKeys['retention']): Config['retention'] {
  return { payloadsMs: payloads, ledgerMs: ledger ?? Math.max(LEDGER_MS, payloads) }
}

export function httpSettings(keys: NonNullable<ConfigKeys['http']>): Config['http'] {
  const { listen, token, viewer_token: viewerToken, public_url: publicUrl = null, tokens } = keys
  return { ...listen, token, viewerToken, tokens: tokensOf(tokens), publicUrl }
}

/** An object has names such as `7` first, wherever they stand in the file. */
function inOrder<T>(
  named: Readonly<Record<string, T>>,
  node: ConfigNode | undefined,
): readonly (readonly [string, T])[] {
  const place = new Map(entriesOf(node).map(([name], index) => [name, index]))
  return Object.entries(named).toSorted(([left], [right]) => (place.get(left) ?? 0) - (place.get(right) ?? 0))
}

/** A rule, which its accounts share, so that it is compiled once. */
interface SharedRule {
  readonly rule: ExpectationRule
  /** Null: all. */
  readonly accounts: readonly string[] | null
}

function accountSettings(name: string, keys: AccountKeys, rules: readonly SharedRule[]): AccountSettings {
  const own = rules.filter(({ accounts }) => accounts?.includes(name) ?? true)
  return {
    name,
    baseUrl: keys.base_url,
    apiKey: keys.api_key,
    timeZone: keys.time_zone,
    budget: {
      requests: keys.budget.requests,
      perMs: keys.budget.per,
      concurrency: keys.budget.concurrency,
      share: keys.budget.share,
    },
    timeoutMs: keys.timeout,
    audit: keys.audit,
    settleMs: keys.settle,
    firstPoll: keys.first_poll,
    shipmentIdField: keys.shipment_id_field ?? null,
    tls: tlsOf(keys.tls),
    // The platform is the operator's own: nobody judges it.
    proxy: proxyOf({ proxy: keys.proxy, allow_unresolved: true }),
    ...(keys.link && { link: linksOf(keys.link) }),
    ...(own.length > 0 && { expectations: own.map(({ rule }) => rule) }),
    watch: watchSettings(keys.watch),
  }
}

function linksOf(link: NonNullable<AccountKeys['link']>): NonNullable<AccountSettings['link']> {
  return Object.fromEntries(Object.entries(link).filter(([, template]) => template !== undefined))
}

function surroundingsOf(name: string, { delivery, http, smtp }: ConfigKeys, { bodies, root, templates }: Origin) {
  const node = nodeAt(root, ['subscriptions', name])
  const drawn = (key: string): readonly string[] => {
    const child = childOf(node, key)
    return child === undefined ? [] : drawnTexts(child)
  }
  const written = childOf(node, 'body')
  const body = (written && bodies.get(written)) ?? null
  const publicUrl = (http && http.public_url) ?? null
  return { alert: name === delivery.alert, smtp, node, templates, body, drawn, publicUrl }
}

/** What of the rest of a file goes into a subscription. */
export interface SubscriptionSurroundings {
  /** Whether it is `delivery.alert`. */
  readonly alert: boolean
  readonly smtp: ConfigKeys['smtp']
  /** Where it stands; undefined: nowhere. */
  readonly node: ConfigNode | undefined
  readonly templates: NamedTemplates
  /** The template of its `body`; null: it has none. */
  readonly body: BodyTemplate | null
  readonly drawn: (key: string) => readonly string[]
  /** Where the admin interface is reached; null: it is not said. */
  readonly publicUrl: string | null
  readonly untrusted?: { readonly networks: readonly string[] }
}

export function subscriptionOf(name: string, keys: SubscriptionKeys, around: SubscriptionSurroundings): Subscription {
  const { alert, body, drawn, node, publicUrl, smtp, templates, untrusted } = around
  const selection = { name, events: keys.events, accounts: keys.accounts ?? null, alert }
  const channel = channelOf(keys, {
    mailServer: mailServerOf(smtp ?? ''),
    templates: templatesByType(childOf(node, 'template'), templates, matchedTypes(selection)),
    body,
    drawn,
    publicUrl,
    untrusted,
  })
  return {
    ...selection,
    enabled: keys.enabled,
    ...(keys.start === 'snapshot' && { start: keys.start }),
    order: keys.order,
    rate: keys.rate === undefined ? paceOf(channel) : { requests: keys.rate.requests, perMs: keys.rate.per },
    filter: keys.where ?? null,
    minShiftMs: keys.min_shift ?? null,
    remind: keys.remind === undefined ? null : { everyMs: keys.remind.every, of: keys.remind.of },
    channel,
  }
}

function paceOf<K extends ChannelKind>(channel: ChannelSettings<K>): Subscription['rate'] {
  return rulesOf(channel).rate ?? null
}

/** Freezes a value and everything in it. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}
