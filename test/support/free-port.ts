import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that kernels give to connections and to servers that ask for any port. */
const LOWEST = 20_000
const END = 32_000

/** A port of loopback for a program that must be told one. Nobody else is given it before that program takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, END)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
      return port
    } catch {
      // Somebody listens there: another one.
    }
  }
}
