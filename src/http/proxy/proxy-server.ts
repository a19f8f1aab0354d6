import { unescape } from 'node:querystring'
import type { buildConnector } from 'undici'
import type { ProxySettings } from '../../model/subscription.ts'

/** An HTTP proxy, of `http[s]://user:password@host:port`. */
export interface ProxyServer {
  /** What may be said of the proxy: without credentials. */
  readonly origin: string
  /** What is dialled. */
  readonly target: buildConnector.Options
  /** The value of `Proxy-Authorization`; null: it wants none. */
  readonly authorization: string | null
}

/** User and password may be percent-encoded (RFC 7617, RFC 3986 section 2.1). */
export function parseProxy(address: string): ProxyServer {
  const { hostname, origin, password, port, protocol, username } = new URL(address)
  const credentials = `${unescape(username)}:${unescape(password)}`
  return {
    origin,
    target: { hostname, protocol, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port },
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

/** A target with the way to it, for sentences. */
export function viaProxy(target: string, proxy: ProxySettings | null | undefined): string {
  return proxy == null ? target : `${target} (through the proxy ${new URL(proxy.address).origin})`
}
