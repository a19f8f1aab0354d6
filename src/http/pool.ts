import type { Socket } from 'node:net'
import type { buildConnector, Client as ClientTypes, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { ResentRequest, type Way } from './resend.ts'
import { readAlong } from './status-line.ts'

/**
 * How long a connection may be idle and be used again. Proxies that close early do so after a second or two, and the request
 * that crosses their closing is lost; what is left to a second is for the way there and back.
 */
const IDLE_MS = 800
/** Of what a server promises (`Keep-Alive: timeout=`), for the same way. */
const PROMISED_LESS_MS = 1_000
/** The promise may be that of a server behind a proxy that closes earlier. */
const LONGEST_IDLE_MS = 4_000

/** A name is asked for again after so long, also under steady traffic. What is under way ends. */
const LONGEST_USE_MS = 60_000

/** The largest headers of an answer: some proxies add cookies and policies by the dozen, and Node's own bound is 16 kB. */
const MOST_HEADER_BYTES = 256 * 1024

export interface PoolOptions {
  readonly origin: string
  /** At once; more requests wait for one. */
  readonly connections: number
  readonly connect: buildConnector.connector
  /** Milliseconds that only grow; left out: since the process began. */
  readonly now?: (() => number) | undefined
}

/** Keep-alive connections to one origin. Deadlines are the caller's: undici's own are coarse, and a dripping body trips none. */
export function keepAlivePool({ origin, connections, connect, now = monotonic }: PoolOptions): Pool {
  const options = {
    connect,
    now,
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
  queueSparingly(pool)
  return pool
}

/** A pool begins with a queue that is filled with 2,048 places, 16 kB; few requests ever wait for a connection. */
function queueSparingly(pool: Pool): void {
  const queue = Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue')
  if (queue !== undefined) Reflect.set(pool, queue, new SparingQueue())
}

/** What a pool asks of its queue. */
class SparingQueue<T> {
  readonly #waiting: T[] = []

  isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  push(request: T): void {
    this.#waiting.push(request)
  }

  shift(): T | null {
    return this.#waiting.shift() ?? null
  }
}

function monotonic(): number {
  return performance.now()
}

interface ClientOptions extends ClientTypes.Options {
  readonly connect: buildConnector.connector
  readonly now: () => number
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
  readonly #line: Line
  readonly #now: () => number

  constructor(origin: string | URL, { connect, now, pool, ...options }: ClientOptions) {
    const line: Line = { socket: null, openedAt: 0 }
    super(origin, { ...options, connect: kept(connect, line, now) })
    this.#line = line
    this.#now = now
    this.#way = {
      socket: () => line.socket,
      isOpen: () => !this.closed && !this.destroyed,
      // A client connects anew for the request that comes next, and its pool gives it none before it hears that this one ended.
      sendAgain: (request, handler) =>
        super.dispatch(request, new ResentRequest(request, handler, { way: this.#way, isSecond: true })),
      startOver: (request, handler) => pool().dispatch(request, handler),
    }
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#endOld()
    const isOnce = options.idempotent !== true
    return super.dispatch(options, new ResentRequest(options, handler, { way: this.#way, isSecond: isOnce }))
  }

  /** However busy it is, a connection is used for a while only: the name may lead elsewhere by now. undici then connects anew. */
  #endOld(): void {
    const { openedAt, socket } = this.#line
    if (socket === null || this.#now() - openedAt < LONGEST_USE_MS || this.stats.running > 0) return
    socket.destroy()
  }
}

/** The connection of a client; null: there is none. */
interface Line {
  socket: Socket | null
  openedAt: number
}

/** Keeps in `line` the connection there is. */
function kept(connect: buildConnector.connector, line: Line, now: () => number): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...outcome) => {
      const [error, socket] = outcome
      if (error === null) {
        line.socket = socket
        line.openedAt = now()
        readAlong(socket)
        socket.once('close', () => {
          if (line.socket === socket) line.socket = null
        })
      }
      callback(...outcome)
    })
  }
}
