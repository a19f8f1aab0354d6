import { once } from 'node:events'
import type { Server } from 'node:net'

/** Has a server listen on any free port of the loopback; resolves to its URL without the scheme's `s`. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
