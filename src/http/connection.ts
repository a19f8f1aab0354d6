import type { Pool } from 'undici'
import { connector, type ConnectorOptions } from './connector.ts'
import type { Deadline } from './deadline.ts'
import { HttpExchange, type ExchangeOptions, type Received } from './exchange.ts'
import { OpenSockets } from './open-sockets.ts'
import { keepAlivePool } from './pool.ts'

export interface ConnectionOptions extends Omit<ConnectorOptions, 'sockets'> {
  /** `https://erp.example` */
  readonly origin: string
  /** At once; more requests wait for one. */
  readonly concurrency: number
}

export interface HttpRequest extends ExchangeOptions {
  readonly method: 'GET' | 'OPTIONS' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** null: none. */
  readonly body: Buffer | string | null
  /** Whether it may be sent twice. Only then is it sent again, once, if a reused connection dies before any byte of an answer. */
  readonly idempotent: boolean
}

/** Keep-alive connections to one origin, ignoring proxy variables and following no redirect. Disposing of it drops them. */
export class HttpConnection implements AsyncDisposable {
  readonly #pool: Pool
  readonly #sockets = new OpenSockets()
  readonly #closing = new AbortController()

  constructor({ origin, concurrency, ...options }: ConnectionOptions) {
    const connect = connector({ ...options, sockets: this.#sockets })
    this.#pool = keepAlivePool({ origin, connections: concurrency, connect })
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** What came of one request within its deadline. Never rejects. */
  async send(request: HttpRequest, deadline: Deadline): Promise<Received> {
    const { portion, decode, ...message } = request
    const exchange = new HttpExchange({ portion, decode })
    deadline.onCut((reason) => exchange.cut(reason))
    if (deadline.reached === null) this.#pool.dispatch(message, exchange)
    return await exchange.received
  }

  /** Ends every request under way, and every socket. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#sockets.close()
    await this.#pool.destroy()
  }
}
