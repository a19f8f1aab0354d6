import net, { type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { Clock } from '../clock.ts'
import type { TlsSettings } from '../model/subscription.ts'
import { guarded, refusedLiteral, type Guard } from './guard.ts'
import type { Resolve } from './names/name-resolver.ts'
import { resolveSystemName } from './names/system-names.ts'
import type { OpenSockets } from './open-sockets.ts'
import { noDescriptorLeft, ownDescriptors, type Descriptors } from './own-limits.ts'
import { hostOf, tlsOpener } from './tls-opener.ts'

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
