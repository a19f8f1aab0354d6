import net, { type LookupFunction, type Socket } from 'node:net'
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Clock } from '../clock.ts'
import type { TlsSettings } from '../model/subscription.ts'
import { guarded, refusedLiteral, type Guard } from './guard.ts'
import type { Resolve } from './names/name-resolver.ts'
import { systemNames } from './names/system-names.ts'
import type { OpenSockets } from './open-sockets.ts'

export interface ConnectorOptions {
  readonly clock: Pick<Clock, 'after'>
  /** For one connection, TLS included. */
  readonly timeoutMs: number
  /** Gets every connection, also while it is made. */
  readonly sockets: OpenSockets
  /** Left out: every address may be dialled. */
  readonly guard?: Guard | undefined
  /** Of https targets. */
  readonly tls?: TlsOptions | undefined
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
}

export type TlsOptions = Pick<ConnectionOptions, 'rejectUnauthorized' | 'secureContext'>

const KEEP_ALIVE_PROBE_MS = 60_000
const READ_AT_ONCE = 64 * 1024

/**
 * Opens every connection of the process, over TLS where the protocol is `https:`: to the platform, to endpoints and to mail
 * servers. Names are resolved by our own resolver. With a `guard` only addresses that it allows are dialled, also where the host
 * is a literal: the socket gets none but judged addresses, so nothing can change between check and use. A refusal arrives as
 * `AddressRefused`. Only the platform's `base_url` and the mail server, which are the operator's own, are dialled without one.
 *
 * A client library that brings its own HTTP has to be given a `fetch` that passes method, path, headers and body on to a
 * connection made here. Node's global `fetch` will not do: it takes no dispatcher of another undici, and obeys proxy variables.
 * Node's `signal` option of sockets is not used, because it never takes its listener off: 4 to 7 kB for each connection.
 */
export function connector(options: ConnectorOptions): buildConnector.connector {
  const { clock, timeoutMs, sockets, guard, resolve = systemNames.resolve } = options
  const lookup = lookupBy(guard === undefined ? resolve : guarded(resolve, guard))
  const open = opener(options.tls ?? {}, lookup)
  return (target, callback) => {
    const refusal = guard === undefined ? null : refusedLiteral(hostOf(target), guard)
    if (refusal !== null) {
      callback(refusal, null)
      return
    }
    const socket = open(target)
    sockets.add(socket)
    const limit = clock.after(timeoutMs, () => socket.destroy(timedOut()))
    let isSettled = false
    const settle = (error: Error | null): void => {
      if (isSettled) return
      isSettled = true
      limit[Symbol.dispose]()
      if (error === null) callback(null, socket)
      else callback(error, null)
    }
    socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => settle(null))
    // Stays, so that an error is never without a listener.
    socket.on('error', (error) => settle(isTimeout(error) ? timedOut() : error))
  }
}

/**
 * Certificates are verified whatever NODE_TLS_REJECT_UNAUTHORIZED says. Node's `ca` would replace the system's authorities, so
 * `tls.ca` is put beside them.
 */
export function verifiedTls(settings: TlsSettings | null): TlsOptions {
  const verified = { rejectUnauthorized: true }
  if (settings === null) return verified
  const { ca, cert, key } = settings
  const secureContext = tls.createSecureContext({
    ...(ca === null ? {} : { ca: [...tls.getCACertificates('default'), ca] }),
    ...(cert === null || key === null ? {} : { cert, key }),
  })
  return { ...verified, secureContext }
}

function opener(options: TlsOptions, lookup: LookupFunction): (target: buildConnector.Options) => Socket {
  /** The last one of each host: a connection that resumes it needs no whole handshake, and no other name is checked for it. */
  const sessions = new Map<string, Buffer>()
  const openTls = (target: buildConnector.Options): TLSSocket => {
    const host = hostOf(target)
    const servername = target.servername ?? (net.isIP(host) === 0 ? host : '')
    const port = Number(target.port || 443)
    const key = `${servername} ${host} ${port}`
    const session = sessions.get(key)
    const to = { ...options, host, port, lookup, servername, autoSelectFamily: true, ALPNProtocols: ['http/1.1'] }
    return tls
      .connect(session === undefined ? to : { ...to, session })
      .on('session', (latest: Buffer) => sessions.set(key, latest))
  }
  const openPlain = (target: buildConnector.Options): Socket => {
    const port = Number(target.port || 80)
    const to = { host: hostOf(target), port, lookup, autoSelectFamily: true, highWaterMark: READ_AT_ONCE }
    return net.connect(to)
  }
  return (target) => {
    const socket = target.protocol === 'https:' ? openTls(target) : openPlain(target)
    return socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS).setNoDelay(true)
  }
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: buildConnector.Options): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Of several addresses each has its error: one that did not answer says more than one that refused. */
function isTimeout(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.some((each: unknown) => codeOf(each) === 'ETIMEDOUT')
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function timedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}

/** Has a socket ask `resolve` instead of the C library. */
function lookupBy(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async (): Promise<void> => {
      const found = await outcomeOf(resolve(hostname))
      if (found instanceof Error) callback(found, [])
      else if (all === true) callback(null, [...found])
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    }
    void answer()
  }
}

async function outcomeOf(found: ReturnType<Resolve>): Promise<Awaited<ReturnType<Resolve>> | Error> {
  try {
    return await found
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
