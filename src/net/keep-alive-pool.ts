import type { buildConnector } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import { ReplacingClient } from './replacing-client.ts'

/**
 * How long a connection may be idle and be used again. Proxies that close early do so after a second or two, and the request
 * that crosses their closing is lost; what is left to a second is for the way there and back.
 */
const IDLE_MS = 800
/** Of what a server promises (`Keep-Alive: timeout=`), for the same way. */
const PROMISED_LESS_MS = 1_000
/** The promise may be that of a server behind a proxy that closes earlier. */
const LONGEST_IDLE_MS = 4_000

export interface PoolOptions {
  readonly origin: string
  /** At once; more requests wait for one. */
  readonly connections: number
  readonly connect: buildConnector.connector
}

/** Keep-alive connections to one origin. Deadlines are the caller's: undici's own are coarse, and a dripping body trips none. */
export function keepAlivePool({ origin, connections, connect }: PoolOptions): Pool {
  const options = {
    connect,
    pool: () => pool,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: PROMISED_LESS_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
  }
  const factory = (to: URL): ReplacingClient => new ReplacingClient(to, options)
  const pool: Pool = new Pool(origin, { connect, connections, allowH2: false, factory })
  return pool
}
