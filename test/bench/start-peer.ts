import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Peer extends Disposable {
  readonly url: string
}

/** Starts the other side of a benchmark, holding `shipments` shipments. */
export async function startPeer(shipments: number): Promise<Peer> {
  const child = fork(fileURLToPath(new URL('./peer.ts', import.meta.url)), [String(shipments)])
  const [address]: { port: number }[] = await once(child, 'message')
  return { url: `http://127.0.0.1:${address?.port}`, [Symbol.dispose]: () => child.disconnect() }
}
