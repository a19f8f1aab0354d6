import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

const CHANNEL = 'net.client.socket'

/** Every address that this process tries to open a TCP connection to, TLS too, as long as it is watched. */
export class Dials implements Disposable {
  readonly addresses: string[] = []
  readonly #onSocket = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !('socket' in message)) return
    if (!(message.socket instanceof Socket)) return
    message.socket.on('connectionAttempt', (address) => this.addresses.push(address))
  }

  constructor() {
    subscribe(CHANNEL, this.#onSocket)
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#onSocket)
  }
}
