import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { limitConnections, timeLimits, type ConnectionLimits } from './connection-limits.ts'
import { ShipbellError } from './errors.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What the server is, for the message when it cannot start: "the admin interface". */
  readonly purpose: string
  /** What to change when the address cannot be had: "change `http.listen`". */
  readonly remedy: string
  /** How many connections may be open; left out: as many as the process may have. */
  readonly limits?: ConnectionLimits
  readonly fetch: (request: Request, peer: Peer) => Response | Promise<Response>
}

/** Who is at the other end of the connection: a client, or a proxy before it. */
export interface Peer {
  readonly address: string
  /** Ends the connection at once, whatever is still on its way. */
  readonly hangUp: () => void
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

/** Serves until disposed, which also ends open connections. Throws `port_in_use` where the address cannot be bound. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  // An `import` of it reads all that it exports, and with `WebSocket` comes the whole of Node's own `fetch`.
  const { createServer } = process.getBuiltinModule('node:http')
  let listener: Promise<RequestListener> | null = null
  const { limits } = options
  const server = createServer(limits === undefined ? {} : timeLimits(limits), (request, response) => {
    listener ??= createListener(options.fetch)
    void listener.then((answer) => answer(request, response))
  })
  if (limits !== undefined) limitConnections(server, limits)
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(options, cause)
  }
  const port = portOf(server, options.port)
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, port, [Symbol.asyncDispose]: async () => close(server) }
}

/** Web standards take that `fetch`: it waits for the first request. */
async function createListener(fetch: HttpServerOptions['fetch']): Promise<RequestListener> {
  const { getRequestListener } = await import('@hono/node-server')
  return getRequestListener((request, { incoming }) => fetch(request, peerOf(incoming.socket)))
}

function peerOf(socket: { readonly remoteAddress?: string | undefined; destroy(): unknown }): Peer {
  return { address: socket.remoteAddress ?? '', hangUp: () => void socket.destroy() }
}

function cannotListen(options: HttpServerOptions, cause: unknown): ShipbellError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
  const why = code === 'EADDRINUSE' ? 'another process listens there' : code
  const where = `${options.host}:${options.port}`
  return new ShipbellError('port_in_use', `${options.purpose} cannot listen on ${where} (${why}): ${options.remedy}.`, {
    cause,
  })
}

function portOf(server: Server, asked: number): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : asked
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
