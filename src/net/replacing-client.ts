import type { Socket } from 'node:net'
import type { buildConnector, Client as Types, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import { ReplacedRequest } from './replaced-request.ts'

export interface ClientOptions extends Types.Options {
  readonly connect: buildConnector.connector
  /** The pool of this client. */
  readonly pool: () => Pick<Dispatcher, 'dispatch'>
}

/**
 * One connection at a time, with requests one by one. A connection that has answered before and dies before any byte of an
 * answer was most likely closed for being idle while the request was on its way: the request is sent again at once, on a
 * fresh connection, and once. Only a request that may be sent twice (`idempotent`) is.
 */
export class ReplacingClient extends Client {
  readonly #pool: ClientOptions['pool']
  readonly #line: { socket: Socket | null }

  constructor(origin: string | URL, { connect, pool, ...options }: ClientOptions) {
    const line: { socket: Socket | null } = { socket: null }
    super(origin, { ...options, connect: kept(connect, line) })
    this.#pool = pool
    this.#line = line
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (options.idempotent !== true) return super.dispatch(options, handler)
    const request = new ReplacedRequest(handler, {
      socket: () => this.#line.socket,
      isOpen: () => !this.closed && !this.destroyed,
      // A client connects anew for the request that comes next, and its pool gives it none before it hears that this one ended.
      sendAgain: () => super.dispatch(options, handler),
      startOver: () => this.#pool().dispatch(options, handler),
    })
    return super.dispatch(options, request)
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
