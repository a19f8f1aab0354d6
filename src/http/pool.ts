import type { Socket } from 'node:net'
import { Client, type buildConnector, type Dispatcher } from 'undici'
import { readAlong, ResentRequest, type Way } from './resend.ts'

/**
 * How long a connection may be idle and be used again. Proxies that close early do so after a second or two, and the request
 * that crosses their closing is lost; what is left to a second is for the way there and back.
 */
const IDLE_MS = 800
/** What is left of a server's promise (`Keep-Alive: timeout=`) for the way there and back. */
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
const CLIENT_OPTIONS = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  maxHeaderSize: MOST_HEADER_BYTES,
  bodyTimeout: 0,
  keepAliveTimeout: IDLE_MS,
  keepAliveTimeoutThreshold: PROMISED_LESS_MS,
  keepAliveMaxTimeout: LONGEST_IDLE_MS,
} satisfies Client.Options

/** A request that waits for a connection. */
interface Waiting {
  readonly request: Dispatcher.DispatchOptions
  readonly handler: Dispatcher.DispatchHandler
}

/**
 * Keep-alive connections to one origin. It is ours for what undici's pool lacks: a client that can give a request back to its
 * pool, and a pool of some hundred bytes. undici's begins with a queue of 2,048 places, 16 kB, and thousands of pools are of one
 * connection that hardly ever has a request waiting.
 */
export class KeepAlivePool {
  readonly #clients: ResendingClient[] = []
  readonly #waiting: Waiting[] = []
  readonly #options: PoolOptions

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Sends a request over the first connection that is free; while none is, it waits behind those that came before. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const client = this.#clients.find(({ isBusy }) => !isBusy) ?? this.#another()
    if (client === null) this.#waiting.push({ request, handler })
    else client.take(request, handler)
  }

  /** Ends every request, those that wait too, and every connection. */
  async destroy(): Promise<void> {
    const [first] = this.#clients
    const destroyed = this.#clients.map(async (client) => client.destroy())
    // A client that is destroyed refuses them.
    for (const { request, handler } of this.#waiting.splice(0)) first?.take(request, handler)
    await Promise.all(destroyed)
  }

  #another(): ResendingClient | null {
    const { connect, connections, now = monotonic, origin } = this.#options
    if (this.#clients.length >= connections) return null
    const client = new ResendingClient(origin, { connect, now, pool: this })
    // What undici says once it takes more, after a connection that failed as after an answer.
    client.on('drain', () => this.#feed(client))
    this.#clients.push(client)
    return client
  }

  #feed(client: ResendingClient): void {
    client.isBusy = false
    while (!client.isBusy) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      client.take(next.request, next.handler)
    }
  }
}

function monotonic(): number {
  return performance.now()
}

interface ClientOptions {
  readonly connect: buildConnector.connector
  readonly now: () => number
  /** The pool of this client. */
  readonly pool: Pick<KeepAlivePool, 'dispatch'>
}

/**
 * One connection at a time, with requests one by one. A connection that has answered before and dies before any byte of an
 * answer was most likely closed for being idle while the request was on its way: the request is sent again at once, on a
 * fresh connection, and once. Only a request that may be sent twice (`idempotent`) is.
 */
class ResendingClient extends Client {
  /** Whether a request has to wait until undici says that the client takes more. */
  isBusy = false
  readonly #way: Way
  readonly #line: Line
  readonly #now: () => number

  constructor(origin: string, { connect, now, pool }: ClientOptions) {
    const line: Line = { socket: null, openedAt: 0 }
    super(origin, { ...CLIENT_OPTIONS, connect: noting(connect, line, now) })
    this.#line = line
    this.#now = now
    this.#way = {
      socket: () => line.socket,
      isOpen: () => !this.closed && !this.destroyed,
      // A client connects anew for the request that comes next, and its pool gives it none before it hears that this one ended.
      sendAgain: (request, handler) => this.#send(request, handler, true),
      startOver: (request, handler) => pool.dispatch(request, handler),
    }
  }

  take(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#endOld()
    this.#send(request, handler, request.idempotent !== true)
  }

  #send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, isSecond: boolean): void {
    const takesMore = this.dispatch(request, new ResentRequest(request, handler, { way: this.#way, isSecond }))
    if (!takesMore) this.isBusy = true
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
function noting(connect: buildConnector.connector, line: Line, now: () => number): buildConnector.connector {
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
