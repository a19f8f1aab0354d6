import { z } from 'zod'
import type { ProxySettings } from '../model/subscription.ts'
import { serverSecrets } from './channel-secrets.ts'
import { flag } from './values.ts'

const PROXY =
  'must be an HTTP proxy such as http://user:password@proxy.example:3128, the password percent-encoded (`#` is %23)'

/** The address of an HTTP proxy. */
export const proxyAddress = z.string(PROXY).refine((text) => isProxy(URL.parse(text)), PROXY)

function isProxy(url: URL | null): boolean {
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return false
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** The keys of every channel that speaks HTTP. */
export const proxyKeys = {
  proxy: proxyAddress
    .optional()
    .describe('HTTP proxy that everything for it is sent through: `http[s]://user:password@host:port`.'),
  allow_unresolved: flag
    .prefault(false)
    .describe('Whether the proxy is asked also for a host that this machine cannot resolve, and so cannot judge.'),
}

export interface ProxyKeys {
  readonly proxy?: string | undefined
  readonly allow_unresolved?: boolean
}

/** The proxy that the keys name; null: none. */
export function proxyOf({ proxy, allow_unresolved: allowUnresolved = false }: ProxyKeys): ProxySettings | null {
  return proxy === undefined ? null : { address: proxy, allowUnresolved }
}

export function proxyMisfit({
  proxy,
  allow_unresolved,
}: ProxyKeys): { readonly key: string; readonly message: string } | null {
  if (proxy !== undefined || allow_unresolved !== true) return null
  return { key: 'allow_unresolved', message: '`allow_unresolved` is about what a proxy resolves: it needs `proxy`' }
}

/** What an answer may echo of the login at a proxy. */
export function proxySecrets(proxy: ProxySettings | null | undefined): readonly string[] {
  if (proxy == null) return []
  const { username, password } = new URL(proxy.address)
  const login = [username, password].map(decoded).join(':')
  return [...serverSecrets(proxy.address), ...(password === '' ? [] : [Buffer.from(login).toString('base64')])]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
