import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Desk } from './desk.ts'

interface Held {
  readonly amount: number
  /** What each of them sends, and no more. */
  readonly sent: string
  /** Addresses of this machine, in turns. */
  readonly from: readonly string[]
}

/** Connections to the admin interface, for as long as the test lives. */
export function holdConnections(desk: Desk, { amount, sent, from }: Held) {
  const { hostname, port } = new URL(desk.url)
  const sockets = Array.from({ length: amount }, (_, nth) => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: from[nth % from.length] })
    if (sent !== '') socket.write(sent)
    return socket.on('error', () => undefined).resume()
  })
  onTestFinished(() => {
    for (const each of sockets) each.destroy()
  })
  return {
    sockets,
    connected: async () => await Promise.all(sockets.map(async (each) => await connected(each))),
    open: () => sockets.filter(({ closed }) => !closed).length,
  }
}

async function connected(socket: Socket): Promise<void> {
  if (socket.connecting) await Promise.race([once(socket, 'connect'), once(socket, 'close')])
}
