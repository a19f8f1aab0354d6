import net, { type LookupFunction, type Socket } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { TlsSettings } from '../model/subscription.ts'
import { verifiedTls, type TlsOptions } from './trust.ts'

/** What the TLS connection goes over: a socket that is connected, or one that is opened with this look-up. */
type Line = { readonly socket: Socket } | { readonly lookup: LookupFunction }

/** Begins TLS with a target. */
export type OpenTls = (target: buildConnector.Options, line: Line) => TLSSocket

/** Connections that resume the session of the last one with the same host. */
export function tlsOpener(settings: TlsSettings | null): OpenTls {
  let options: TlsOptions | null = null
  /** The last one of each host: a connection that resumes it needs no whole handshake, and no other name is checked for it. */
  const sessions = new Map<string, Buffer>()
  return (target, line) => {
    options ??= verifiedTls(settings)
    const host = hostOf(target)
    const servername = target.servername ?? (net.isIP(host) === 0 ? host : '')
    const port = Number(target.port || 443)
    const key = `${servername} ${host} ${port}`
    const session = sessions.get(key)
    const to = { ...options, ...line, host, port, servername, autoSelectFamily: true, ALPNProtocols: ['http/1.1'] }
    return tls
      .connect(session === undefined ? to : { ...to, session })
      .on('session', (latest: Buffer) => sessions.set(key, latest))
  }
}

/** Without the brackets of IPv6. */
export function hostOf({ hostname }: Pick<buildConnector.Options, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** How a URL writes a host: IPv6 in brackets. */
export function writtenHost(host: string): string {
  return net.isIPv6(host) ? `[${host}]` : host
}
