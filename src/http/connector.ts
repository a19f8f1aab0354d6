import type { buildConnector } from 'undici'
import type { ProxySettings } from '../model/subscription.ts'
import { directConnector, type DirectOptions } from './direct.ts'
import { proxiedConnector } from './proxy/proxied.ts'

export interface ConnectorOptions extends DirectOptions {
  /** The proxy that leads to targets; left out or null: they are dialled from here. */
  readonly proxy?: ProxySettings | null | undefined
}

/**
 * Opens every connection of the process, over TLS where the protocol is `https:`: to the platform, to endpoints and to mail
 * servers. Names are resolved by our own resolver. With a `guard` only addresses that it allows are dialled, also where the host
 * is a literal: the socket gets none but judged addresses, so nothing can change between check and use. A refusal arrives as
 * `AddressRefused`. Only the platform's `base_url`, the mail server and proxies, which are the operator's own, are dialled
 * without one.
 *
 * With a `proxy` the guard judges the target first, then the proxy is asked for it by name. To a target of `http:` the
 * connection ends at the proxy, and requests have to be of the form that proxies take (`forwarded`).
 *
 * A client library that brings its own HTTP has to be given a `fetch` that passes method, path, headers and body on to a
 * connection made here. Node's global `fetch` will not do: it takes no dispatcher of another undici, and obeys proxy variables.
 * undici's `ProxyAgent` has pools of its own, which neither judge a target nor send a lost request again.
 * Node's `signal` option of sockets is not used, because it never takes its listener off: 4 to 7 kB for each connection.
 */
export function connector(options: ConnectorOptions): buildConnector.connector {
  const { proxy = null } = options
  return proxy === null ? directConnector(options) : proxiedConnector(options, proxy)
}
