import { connector, type ConnectorOptions } from './connector.ts'
import type { Deadline } from './deadline.ts'
import { HttpExchange, type ExchangeOptions, type Received } from './exchange.ts'
import { OpenSockets } from './open-sockets.ts'
import { ownDescriptors, type Descriptors } from './own-limits.ts'
import { KeepAlivePool } from './pool.ts'
import { forwarded, fromTarget } from './proxy/forwarded.ts'
import { parseProxy, type ProxyServer } from './proxy/proxy-server.ts'

export interface ConnectionOptions extends Omit<ConnectorOptions, 'sockets'> {
  /** `https://erp.example` */
  readonly origin: string
  /** At once; more requests wait for one. */
  readonly concurrency: number
  /** See `PoolOptions`. */
  readonly now?: (() => number) | undefined
  /** See `ExchangeOptions`; left out: requests are always written. */
  readonly mayWrite?: (() => boolean) | undefined
}

export interface HttpRequest extends Omit<ExchangeOptions, 'mayWrite'> {
  readonly method: 'GET' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body that is sent; null: none. */
  readonly body: Buffer | string | null
  /**
   * Whether the request may be sent twice. Only then is it sent again, once, if a reused connection dies before any byte of an
   * answer.
   */
  readonly idempotent: boolean
}

/** Keep-alive connections to one origin, ignoring proxy variables and following no redirect. Disposing of it drops them. */
export class HttpConnection implements AsyncDisposable {
  readonly #openPool: () => KeepAlivePool
  /**
   * The pool of the connection; null: it rests. A pool takes more memory than all else of a connection, and thousands are idle
   * nearly all the time.
   */
  #pool: KeepAlivePool | null = null
  readonly #sockets = new OpenSockets(() => this.#restSoon())
  readonly #closing = new AbortController()
  readonly #origin: string
  readonly #mayWrite: (() => boolean) | undefined
  readonly #descriptors: Descriptors
  #underWay = 0
  /** What passes requests on, one by one; null: connections lead to the origin. */
  readonly #forwarder: ProxyServer | null

  constructor({ origin, concurrency, mayWrite, ...options }: ConnectionOptions) {
    const { proxy = null } = options
    const connect = connector({ ...options, sockets: this.#sockets })
    this.#descriptors = options.descriptors ?? ownDescriptors()
    this.#origin = origin
    this.#mayWrite = mayWrite
    this.#forwarder = proxy !== null && origin.startsWith('http:') ? parseProxy(proxy.address) : null
    this.#openPool = () => new KeepAlivePool({ origin, connections: concurrency, connect, now: options.now })
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** What came of one request within its deadline. Never rejects. */
  send(request: HttpRequest, deadline: Deadline): Promise<Received> {
    const { method, path, headers, body, idempotent, portion, decode, statusDecides } = request
    const exchange = new HttpExchange({ portion, decode, statusDecides, mayWrite: this.#mayWrite })
    deadline.onCut((reason) => exchange.cut(reason))
    const message = { method, path, headers, body, idempotent }
    const forwarder = this.#forwarder
    const sent = forwarder === null ? message : forwarded(message, this.#origin, forwarder)
    if (this.closing.aborted) exchange.cut(new Error('The connection is closed.'))
    else if (deadline.reached === null) this.#poolInUse().dispatch(sent, exchange)
    this.#underWay += 1
    void exchange.received.then(() => this.#ended())
    return forwarder === null ? exchange.received : receivedBy(forwarder, exchange)
  }

  /** Notes that a request has ended. Others may need the descriptors of connections that are idle. */
  #ended(): void {
    this.#underWay -= 1
    if (this.#underWay > 0) return
    if (this.#sockets.isEmpty) this.#restSoon()
    if (!this.#descriptors.isScarce) return
    // Behind what the pool does at the end of a request.
    setImmediate(() => {
      if (this.#underWay === 0) this.#sockets.drop()
    })
  }

  #poolInUse(): KeepAlivePool {
    this.#pool ??= this.#openPool()
    return this.#pool
  }

  /** Lets go of a pool that has no connection and nothing to send, behind what the pool does when the last one closes. */
  #restSoon(): void {
    setImmediate(() => {
      if (this.#underWay > 0 || !this.#sockets.isEmpty) return
      const resting = this.#pool
      this.#pool = null
      void resting?.destroy()
    })
  }

  /** Ends every request under way, and every socket. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#sockets.close()
    await this.#pool?.destroy()
  }
}

async function receivedBy(forwarder: ProxyServer, { received }: HttpExchange): Promise<Received> {
  return fromTarget(await received, forwarder)
}
