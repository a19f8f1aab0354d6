import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** What who connects may take of a server, whoever it is. */
export interface ConnectionLimits {
  /** Connections at once. */
  readonly most: number
  /** Connections of one address whose request has not wholly come. */
  readonly mostPendingOfAddress: number
  /** How long a request may take to come. */
  readonly sendWithinMs: number
}

/** How long the line and headers of a request may be, in bytes. */
const MOST_HEADERS = 16_384
const CHECK_EVERY_MS = 500

/** For `createServer`: what Node looks after itself. */
export function timeLimits({ sendWithinMs }: ConnectionLimits) {
  return {
    headersTimeout: sendWithinMs,
    requestTimeout: sendWithinMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: MOST_HEADERS,
  }
}

/** A request that follows its connection at once has come by then: whoever opens many at once, as a proxy does, loses none. */
const GRACE_MS = 100

/**
 * Bounds the connections of a server. Where there are too many, the oldest goes whose request has not wholly come, so that who asks
 * for something is answered beside any number of others that only hold a connection. Between two requests a connection waits for one.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const connections = new Connections(limits)
  server.on('connection', (socket) => connections.opened(socket))
  server.on('request', (request, response) => {
    const { socket } = request
    if (hasBody(request)) request.once('end', () => connections.asked(socket))
    else connections.asked(socket)
    response.once('close', () => connections.answered(socket))
  })
  server.on('close', () => connections.close())
}

class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Set<Socket>()
  /** The connections that wait for a request, by when they began to, with their addresses. */
  readonly #pending = new Map<Socket, string>()
  #judging: NodeJS.Timeout | null = null

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  opened(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#forget(socket))
    this.#wait(socket)
    if (this.#open.size > this.#limits.most) this.#drop(this.#pending.keys().next().value)
  }

  /** The request of a connection has wholly come. */
  asked(socket: Socket): void {
    this.#pending.delete(socket)
  }

  answered(socket: Socket): void {
    if (this.#open.has(socket)) this.#wait(socket)
  }

  close(): void {
    if (this.#judging !== null) clearTimeout(this.#judging)
  }

  #wait(socket: Socket): void {
    this.#pending.delete(socket)
    this.#pending.set(socket, socket.remoteAddress ?? '')
    if (this.#pending.size > this.#limits.mostPendingOfAddress)
      this.#judging ??= setTimeout(() => this.#judge(), GRACE_MS)
  }

  #judge(): void {
    this.#judging = null
    const byAddress = Map.groupBy(this.#pending.keys(), (socket) => this.#pending.get(socket))
    for (const sockets of byAddress.values()) {
      const tooMany = sockets.length - this.#limits.mostPendingOfAddress
      for (const socket of sockets.slice(0, Math.max(0, tooMany))) this.#drop(socket)
    }
  }

  #drop(socket: Socket | undefined): void {
    if (socket === undefined) return
    this.#forget(socket)
    socket.destroy()
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    this.#pending.delete(socket)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
