import type { LookupAddress } from 'node:dns'
import net from 'node:net'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import type { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Clock } from '../clock.ts'
import type { Verdict } from '../model/address/judge-address.ts'
import type { TlsSettings } from '../model/subscription.ts'
import type { Resolve } from './names/name-resolver.ts'
import { resolveSystemName } from './names/system-names.ts'
import type { OpenSockets } from './open-sockets.ts'
import { noDescriptorLeft, ownDescriptors, type Descriptors } from './own-limits.ts'
import { verifiedTls, type TlsOptions } from './trust.ts'

export interface DirectOptions {
  readonly clock: Pick<Clock, 'after'>
  /** For one connection, TLS included. */
  readonly timeoutMs: number
  /** Gets every connection, also while it is made. */
  readonly sockets: OpenSockets
  /** What judges addresses; left out: every address may be dialled. */
  readonly guard?: Guard | undefined
  /** How TLS is spoken with https targets; left out or null: by the system's authorities, and without client certificate. */
  readonly tls?: TlsSettings | null | undefined
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
  /** Default: the process's. */
  readonly descriptors?: Descriptors | undefined
}

const KEEP_ALIVE_PROBE_MS = 60_000
const READ_AT_ONCE = 64 * 1024

/** Dials the target itself. */
export function directConnector(options: DirectOptions): buildConnector.connector {
  const { clock, timeoutMs, sockets, guard, resolve = resolveSystemName } = options
  const { descriptors = ownDescriptors() } = options
  const lookup = lookupBy(guard === undefined ? resolve : guarded(resolve, guard))
  const open = opener(options.tls ?? null, lookup)
  return (target, callback) => {
    const refusal = (guard === undefined ? null : refusedLiteral(hostOf(target), guard)) ?? fullness(descriptors)
    if (refusal !== null) {
      callback(refusal, null)
      return
    }
    const socket = open(target)
    sockets.add(socket)
    descriptors.take(socket)
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

function fullness({ isFull }: Descriptors): Error | null {
  return isFull ? noDescriptorLeft() : null
}

function opener(tls: TlsSettings | null, lookup: LookupFunction): (target: buildConnector.Options) => Socket {
  const openTls = tlsOpener(tls)
  const openPlain = (target: buildConnector.Options): Socket => {
    const port = Number(target.port || 80)
    const to = { host: hostOf(target), port, lookup, autoSelectFamily: true, highWaterMark: READ_AT_ONCE }
    return net.connect(to)
  }
  return (target) => {
    const socket = target.protocol === 'https:' ? openTls(target, { lookup }) : openPlain(target)
    return socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS).setNoDelay(true)
  }
}

/** Whether an error, or one of those of several addresses, is that one did not answer: that says more than one that refused. */
function isTimeout(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.some((each: unknown) => codeOf(each) === 'ETIMEDOUT')
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export function timedOut(): Error {
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

/** Says which addresses may be dialled. */
type Guard = (address: string) => Verdict

/** The guard refused every address of a target; nothing was dialled. The message is one sentence for the operator. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  /** `rule` completes "the address …"; `address` is null where the name has none. */
  constructor(refusal: { readonly hostname: string; readonly address: string | null; readonly rule: string }) {
    const { hostname, address, rule } = refusal
    const subject = address === null || address === hostname ? hostname : `${address} (an address of ${hostname})`
    super(`${subject} ${rule}`)
  }
}

/**
 * Those of a name's addresses that may be dialled; fails where there is none. They are judged for each connection, and the
 * socket gets the judged ones themselves, so an answer that changes between check and use changes nothing.
 */
function guarded(resolve: Resolve, guard: Guard): Resolve {
  return async (hostname) => {
    const allowed: LookupAddress[] = []
    let refusal: AddressRefused | null = null
    for (const { address, family } of await resolve(hostname)) {
      const verdict = guard(address)
      if (verdict.allowed) allowed.push({ address, family })
      else refusal ??= new AddressRefused({ hostname, address, rule: verdict.rule })
    }
    if (allowed.length === 0)
      throw refusal ?? new AddressRefused({ hostname, address: null, rule: 'is not known to DNS' })
    return allowed
  }
}

/** An address that stands in a URL is never looked up. WHATWG URL parsing has already turned `2130706433` into `127.0.0.1`. */
function refusedLiteral(host: string, guard: Guard): AddressRefused | null {
  const verdict = isIP(host) === 0 ? null : guard(host)
  return verdict?.allowed === false ? new AddressRefused({ hostname: host, address: host, rule: verdict.rule }) : null
}

interface Judging {
  readonly guard: Guard
  readonly resolve: Resolve
  /** Whether a name without an address here may pass. */
  readonly allowUnresolved: boolean
}

/**
 * Judges a target that somebody else will dial: every address that its name has here must be allowed, because any of them may be
 * chosen there. Rejects with `AddressRefused`, or with what the look-up says where the name has no address.
 */
export async function assertAllowed(host: string, { guard, resolve, allowUnresolved }: Judging): Promise<void> {
  const literal = refusedLiteral(host, guard)
  if (literal !== null) throw literal
  if (isIP(host) !== 0) return
  const addresses = await resolve(host).catch((error: unknown) => {
    if (allowUnresolved) return []
    throw error
  })
  for (const { address } of addresses) {
    const verdict = guard(address)
    if (!verdict.allowed) throw new AddressRefused({ hostname: host, address, rule: verdict.rule })
  }
  if (addresses.length === 0 && !allowUnresolved)
    throw new AddressRefused({ hostname: host, address: null, rule: 'is not known to DNS' })
}

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
