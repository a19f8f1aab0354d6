import { parse, stringify } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { SECRET } from '../config/scratch.ts'

const CHANNELS = ['url', 'slack', 'teams', 'google_chat', 'mattermost', 'rocketchat', 'email', 'svix', 'pull']
const ACCOUNT = { base_url: 'https://platform.example', api_key: 'k' }

/** An example with what is required and not shown: an account, its address and key, a receiver, its secret and events. */
export function completeConfig(text: string): string {
  const whole: unknown = parse(text)
  const { accounts, subscriptions, ...rest } = isObject(whole) ? whole : {}
  return stringify({
    accounts: eachOf(accounts ?? { acme: {} }, (given) => ({ ...ACCOUNT, ...given })),
    subscriptions: eachOf(subscriptions ?? {}, completeSubscription),
    ...rest,
  })
}

function completeSubscription(given: JsonObject): JsonObject {
  return {
    ...(CHANNELS.some((key) => key in given) ? {} : { url: 'https://erp.example/hooks', secret: SECRET }),
    ...('events' in given ? {} : { events: ['*', 'account.*'] }),
    ...given,
  }
}

function eachOf(named: Json, complete: (given: JsonObject) => JsonObject): JsonObject {
  if (!isJsonObject(named)) return {}
  return Object.fromEntries(
    Object.entries(named).map(([name, given]) => [name, complete(isJsonObject(given) ? given : {})]),
  )
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value for every variable that an example names. */
export function environmentOf(text: string): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]))
}

function valueOf(name: string): string {
  if (name.endsWith('_SECRET')) return SECRET
  if (name === 'SMTP_URL') return 'smtps://user:pa55-w0rd@mail.example:465'
  if (name === 'DATABASE_URL') return 'postgres://user:pa55-w0rd@db.example:5432/shipbell'
  if (name === 'SHIPBELL_KEY') return Buffer.alloc(32, 7).toString('base64')
  if (name === 'PROXY_URL') return 'http://user:pa55-w0rd@proxy.example:3128'
  return name.endsWith('_URL') ? 'https://example.com/T0/B0/x' : `value-of-${name}`
}
