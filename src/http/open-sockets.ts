import type { Socket } from 'node:net'

/**
 * The open sockets of one client, those that are still connecting too: HTTP pools and mail transports forget them, and they
 * would keep a closed process alive. Node's `signal` option would do the same, but never takes its listener off the signal.
 */
export class OpenSockets {
  readonly #open = new Set<Socket>()
  readonly #emptied: () => void
  #isClosed = false

  /** `emptied` is called when the last one has closed. */
  constructor(emptied: () => void = () => undefined) {
    this.#emptied = emptied
  }

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Takes a socket in until it closes; ends it at once where all have been ended. */
  add(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      if (this.isEmpty) this.#emptied()
    })
    if (this.#isClosed) end(socket)
  }

  /** Ends all that are open now. */
  drop(): void {
    for (const socket of this.#open) end(socket)
  }

  /** Ends all, and every one that comes later. */
  close(): void {
    this.#isClosed = true
    this.drop()
  }
}

function end(socket: Socket): void {
  // Nobody may listen any more.
  socket.on('error', () => undefined)
  socket.destroy(new DOMException('The client was closed.', 'AbortError'))
}
