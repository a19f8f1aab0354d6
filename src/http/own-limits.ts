import { closeSync, openSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { OwnLimit } from '../model/own-limit.ts'

const LIMIT_OF: Readonly<Record<string, OwnLimit>> = {
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  EADDRNOTAVAIL: 'ports',
  ENOBUFS: 'memory',
  ENOMEM: 'memory',
}

/**
 * The limit of our own that an error is about, however deep it lies in it; null: none. Of several addresses that were dialled all have
 * to lack a port: one alone may be of a family that this machine does not have.
 */
export function ownLimitOf(error: unknown): OwnLimit | null {
  if (!(error instanceof Error)) return null
  const own = limitOf(error)
  if (own !== null) return own
  if (error instanceof AggregateError) {
    const limits = error.errors.map(ownLimitOf)
    const known = limits.filter((limit) => limit !== null)
    return known.length === limits.length ? (known[0] ?? null) : (known.find((limit) => limit !== 'ports') ?? null)
  }
  return ownLimitOf(error.cause)
}

function limitOf(error: Error): OwnLimit | null {
  // nodemailer has codes of its own, and keeps that of the cause.
  const code = 'originalCode' in error ? error.originalCode : 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(LIMIT_OF, code) ? (LIMIT_OF[code] ?? null) : null
}

/** Whether this process, or the machine, has no descriptor left now: for libraries that give no error of the system. */
export function lacksDescriptors(): boolean {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return false
  } catch (error) {
    return ownLimitOf(error) === 'descriptors'
  }
}

export function noDescriptorLeft(): Error {
  return Object.assign(new Error('EMFILE: no descriptor is left for another connection'), { code: 'EMFILE' })
}

/** How many descriptors are kept for the store, the admin interface, look-ups of names and what Node needs for itself. */
const FEWEST_KEPT = 64
const MOST_KEPT = 1_024

/**
 * How many connections a process may open by its limit of descriptors, so that some are left for the store, the admin interface and
 * files; of those some are left for reading.
 */
export class Descriptors {
  /** How many descriptors the process may have. */
  readonly limit: number
  /** How many connections of all kinds there may be at once. */
  readonly most: number
  /** How many of the connections may be of attempts to deliver. */
  readonly mostSending: number
  #open = 0

  constructor(limit: number) {
    this.limit = limit
    if (limit === Number.POSITIVE_INFINITY) {
      this.most = limit
      this.mostSending = limit
      return
    }
    const reserved = Math.min(Math.max(FEWEST_KEPT, Math.floor(limit / 4)), MOST_KEPT, Math.floor(limit / 2))
    this.most = limit - reserved
    this.mostSending = this.most - Math.floor(this.most / 6)
  }

  get isFull(): boolean {
    return this.#open >= this.most
  }

  /** Idle connections are not worth what they hold. */
  get isScarce(): boolean {
    return this.#open >= this.most / 2
  }

  /** Counts a connection until it closes. */
  take(socket: Socket): void {
    this.#open += 1
    socket.once('close', () => {
      this.#open -= 1
    })
  }
}

let own: Descriptors | null = null

export function ownDescriptors(): Descriptors {
  return (own ??= new Descriptors(readLimit()))
}

/** Node raises the soft limit to the hard one at its start. Where the system does not say, the limit is not known. */
function readLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
