import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket, type TLSSocketOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** What becomes of a request, from its first byte on. `is cut`: closed without a word of TLS. */
export type Fate =
  | 'answered'
  | 'never answered'
  | 'closed'
  | 'cut'
  | 'reset'
  | 'read and closed'
  | 'answered with one byte'

export interface Arrival {
  /** From 0, in the order in which they were opened. */
  readonly connection: number
  /** Of this connection, from 0. */
  readonly request: number
  /** As far as it has come. */
  text: string
}

export type FateOf = (arrival: Arrival) => Fate

/** An HTTP server on loopback, over TLS or not, that decides at the first byte of each request what becomes of it. */
export class FickleServer {
  readonly arrivals: Arrival[] = []
  readonly sockets: Socket[] = []
  readonly #server: Server
  readonly #fateOf: FateOf

  private constructor(fateOf: FateOf, tls: TLSSocketOptions | null) {
    this.#fateOf = fateOf
    this.#server = createServer((socket) => this.#serve(socket, tls))
  }

  /** Lives as long as the test. */
  static async start(fateOf: FateOf, tls: TLSSocketOptions | null = null): Promise<FickleServer> {
    const server = new FickleServer(fateOf, tls)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    onTestFinished(async () => {
      for (const socket of server.sockets) socket.destroy()
      server.#server.close()
      await once(server.#server, 'close')
    })
    return server
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  #serve(wire: Socket, tls: TLSSocketOptions | null): void {
    const connection = this.sockets.push(wire.on('error', () => undefined)) - 1
    const socket = tls === null ? wire : new TLSSocket(wire, { ...tls, isServer: true }).on('error', () => undefined)
    let requests = 0
    let current: Arrival | null = null
    socket.on('data', (chunk: Buffer) => {
      const isFirst = current === null
      current ??= { connection, request: requests++, text: '' }
      const arrival = current
      arrival.text += chunk.toString('latin1')
      if (isFirst) this.arrivals.push(arrival)
      const fate = this.#fateOf(arrival)
      if (isFirst) begin(fate, { socket, wire })
      if (!isWhole(arrival.text)) return
      current = null
      finish(fate, socket)
    })
  }
}

function begin(fate: Fate, { socket, wire }: { readonly socket: Socket; readonly wire: Socket }): void {
  switch (fate) {
    case 'closed':
      socket.end()
      break
    case 'cut':
      wire.destroy()
      break
    case 'reset':
      wire.resetAndDestroy()
      break
    case 'answered with one byte':
      socket.end('H')
      break
    case 'answered':
    case 'never answered':
    case 'read and closed':
      break
    default:
      fate satisfies never
  }
}

function finish(fate: Fate, socket: Socket): void {
  if (fate === 'answered')
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]')
  if (fate === 'read and closed') socket.end()
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1] ?? '0'
  return end !== -1 && text.length >= end + 4 + Number(length)
}
