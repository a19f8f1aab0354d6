import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface Loopback extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Every socket that was ever accepted. */
  readonly sockets: readonly Socket[]
}

export async function loopback(listener: RequestListener): Promise<Loopback> {
  return await listening(createServer({ keepAliveTimeout: 60_000 }, listener))
}

export async function rawLoopback(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return await listening(createTcpServer(onSocket))
}

async function listening(server: Server): Promise<Loopback> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
