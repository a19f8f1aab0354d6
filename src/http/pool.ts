import type { Socket } from 'node:net'
import type { buildConnector, Client as ClientTypes, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { ResentRequest, type Way } from './resend.ts'

/**
 * How long a connection may be idle and be used again. Proxies that close early do so after a second or two, and the request
 * that crosses their closing is lost; what is left to a second is for the way there and back.
 */
const IDLE_MS = 800
/** Of what a server promises (`Keep-Alive: timeout=`), for the same way. */
const PROMISED_LESS_MS = 1_000
/** The promise may be that of a server behind a proxy that closes earlier. */
const LONGEST_IDLE_MS = 4_000

/** Of an answer: some proxies add cookies and policies by the dozen, and Node's own bound is 16 kB. */
const MOST_HEADER_BYTES = 256 * 1024

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
    maxHeaderSize: MOST_HEADER_BYTES,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: PROMISED_LESS_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
  }
  const factory = (to: URL): ResendingClient => new ResendingClient(to, options)
  const pool: Pool = new Pool(origin, { connect, connections, allowH2: false, factory })
  return pool
}

interface ClientOptions extends ClientTypes.Options {
  readonly connect: buildConnector.connector
  /** The pool of this client. */
  readonly pool: () => Pick<Dispatcher, 'dispatch'>
}

/**
 * One connection at a time, with requests one by one. A connection that has answered before and dies before any byte of an
 * answer was most likely closed for being idle while the request was on its way: the request is sent again at once, on a
 * fresh connection, and once. Only a request that may be sent twice (`idempotent`) is.
 */
class ResendingClient extends Client {
  readonly #way: Way

  constructor(origin: string | URL, { connect, pool, ...options }: ClientOptions) {
    const line: { socket: Socket | null } = { socket: null }
    super(origin, { ...options, connect: kept(connect, line) })
    this.#way = {
      socket: () => line.socket,
      isOpen: () => !this.closed && !this.destroyed,
      // A client connects anew for the request that comes next, and its pool gives it none before it hears that this one ended.
      sendAgain: (request, handler) => super.dispatch(request, handler),
      startOver: (request, handler) => pool().dispatch(request, handler),
    }
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (options.idempotent !== true) return super.dispatch(options, handler)
    return super.dispatch(options, new ResentRequest(options, handler, this.#way))
  }
}

/** Keeps in `line` the connection there is. */
function kept(connect: buildConnector.connector, line: { socket: Socket | null }): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...outcome) => {
      const [error, socket] = outcome
      if (error === null) {
        line.socket = socket
        socket.once('close', () => {
          if (line.socket === socket) line.socket = null
        })
      }
      callback(...outcome)
    })
  }
}
