import type { NarrowerToken } from '../model/scope.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Subscription } from '../model/subscription.ts'
import { keyLines, postingSecrets } from './channel-secrets.ts'
import { proxySecrets } from './addresses.ts'
import type { RuntimeSettings } from './runtime-schema.ts'
import { storageSecrets, type StorageSettings } from './storage.ts'

/** A whole configuration, validated, defaults filled in, frozen. Durations are milliseconds. */
export interface Config {
  /** The file as the command line names it. */
  readonly file: string
  readonly accounts: readonly AccountSettings[]
  readonly subscriptions: readonly Subscription[]
  readonly delivery: DeliverySettings
  readonly retention: RetentionSettings
  readonly storage: StorageSettings
  /** The admin interface; null: none. */
  readonly http: HttpSettings | null
  /** Whom the daemon tells that it does its work; null: nobody. */
  readonly ping: PingSettings | null
  /** What subscriptions may be made at run time; null: none, they come from files alone. */
  readonly runtimeSubscriptions: RuntimeSettings | null
  readonly log: { readonly level: LogLevel }
}

interface RetentionSettings {
  /** How long payloads are kept after their last delivery ended. */
  readonly payloadsMs: number
  /** How long events, deliveries and attempts are kept; never shorter than payloads. */
  readonly ledgerMs: number
}

interface DeliverySettings {
  /** CIDRs of private and loopback networks that may be dialled. */
  readonly allowNetworks: readonly string[]
  /** n entries are n retries after the first attempt. */
  readonly retryMs: readonly number[]
}

export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** May do everything; null: nobody may do anything, and only this machine may look. */
  readonly token: string | null
  /** May look; null: there is none. */
  readonly viewerToken: string | null
  /** The tokens that let see less. */
  readonly tokens: readonly NarrowerToken[]
  /** The address that people reach the interface by: scheme, host and port, without a slash at its end; null: not known. */
  readonly publicUrl: string | null
}

export interface PingSettings {
  readonly url: string
  readonly everyMs: number
}

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Every configured secret: none of them may leave in a log line, an answer or a page. */
export function secretsOf(config: Config): readonly string[] {
  const keys = config.accounts.flatMap(({ apiKey, proxy, tls }) => [
    apiKey,
    ...proxySecrets(proxy),
    ...keyLines(tls?.key ?? ''),
  ])
  const names = new Set([...config.accounts, ...config.subscriptions].map(({ name }) => name))
  const secrets = config.subscriptions.flatMap(({ channel }) => channel.hidden).filter((secret) => !names.has(secret))
  const { token = null, tokens: narrower = [], viewerToken = null } = config.http ?? {}
  const tokens = [
    token ?? '',
    viewerToken ?? '',
    ...narrower.map((each) => each.token),
    config.runtimeSubscriptions?.key ?? '',
  ]
  const ping = config.ping === null ? [] : postingSecrets(config.ping.url)
  return [...keys, ...secrets, ...tokens, ...ping, ...storageSecrets(config.storage)].filter((secret) => secret !== '')
}
