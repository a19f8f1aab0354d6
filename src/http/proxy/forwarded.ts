import { header, type Headers, type Received } from '../exchange.ts'
import { refusedBy } from './proxy-failure.ts'
import type { ProxyServer } from './proxy-server.ts'

interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A request to a target of `http:` as a proxy takes it (absolute-form, RFC 9112 section 3.2.2): most proxies open tunnels to
 * port 443 alone. The credentials are for the proxy, which takes them out (RFC 9110 section 11.7.2).
 */
export function forwarded<M extends Message>(message: M, origin: string, { authorization }: ProxyServer): M {
  const credentials = authorization === null ? {} : { 'proxy-authorization': authorization }
  return { ...message, path: origin + message.path, headers: { ...message.headers, ...credentials } }
}

/** What the target answered; a failure of the proxy where the answer is its own. */
export function fromTarget(received: Received, { origin }: ProxyServer): Received {
  if (received.status === null || !isProxysOwn(received.status, received.headers)) return received
  return { status: null, flaw: refusedBy(origin, received.status) }
}

const PROXIES = /^(?:squid|tinyproxy)\b/i

/** 407 is never a target's; of other errors the marks of proxies tell (RFC 9209, Squid, tinyproxy). */
function isProxysOwn(status: number, headers: Headers): boolean {
  if (status === 407) return true
  if (status < 400) return false
  const isMarked = /;\s*error=/.test(header(headers, 'proxy-status')) || header(headers, 'x-squid-error') !== ''
  return isMarked || PROXIES.test(header(headers, 'server'))
}
