import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { randomOf } from '../../src/sandbox/random.ts'

/** Probabilities of what one attempt meets. */
export interface Faults {
  readonly failed: number
  readonly throttled: number
  readonly reset: number
  /** No answer at all: the sender's deadline ends it. */
  readonly hanging: number
}

export interface FaultyReceiverOptions {
  readonly seed: number
  readonly faults: Faults
  /** Events that are never taken. */
  readonly isPoison: (eventId: string) => boolean
}

type Answer = keyof Faults | 'taken'

/**
 * A subscriber on loopback that misbehaves by a seeded plan: what an attempt meets depends on the event and on how often it
 * was tried. It keeps, for each path, which events it has taken with a 2xx, in order and how often.
 */
export class FaultyReceiver implements AsyncDisposable {
  /** Path → event ids in the order of their first success. */
  readonly taken = new Map<string, string[]>()
  /** Successes beyond the first of an event. */
  duplicates = 0
  /** Requests whose `webhook-id` was not the id in their body. */
  readonly strangers: string[] = []
  readonly answers: Record<Answer, number> = { failed: 0, throttled: 0, reset: 0, hanging: 0, taken: 0 }
  readonly #options: FaultyReceiverOptions
  readonly #server: Server
  readonly #tries = new Map<string, number>()
  readonly #known = new Set<string>()
  readonly #sockets = new Set<Socket>()
  #onTaken: () => void = () => undefined

  private constructor(server: Server, options: FaultyReceiverOptions) {
    this.#server = server
    this.#options = options
    server.on('request', (request, response) => this.#receive(request, response))
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(options: FaultyReceiverOptions): Promise<FaultyReceiver> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FaultyReceiver(server, options)
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  /** Events taken, over all paths. */
  get total(): number {
    return this.#known.size
  }

  /** Resolves once so many events were taken, over all paths. */
  async took(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onTaken = () => {
      if (this.total >= count) resolve()
    }
    this.#onTaken()
    await promise
  }

  /** Resolves once all that a sender that is dead had sent is answered: its connections are closed. */
  async left(): Promise<void> {
    await Promise.all([...this.#sockets].map(async (socket) => await once(socket, 'close')))
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      if (!Buffer.concat(chunks).includes(`"id":"${id}"`)) this.strangers.push(id)
      this.#answer({ path: request.url ?? '/', id }, response)
    })
  }

  #answer({ path, id }: { path: string; id: string }, response: ServerResponse): void {
    const answer = this.#plan(path, id)
    this.answers[answer] += 1
    switch (answer) {
      case 'taken':
        response.on('finish', () => this.#take(path, id))
        response.writeHead(204).end()
        return
      case 'failed':
        response.writeHead(500).end('boom')
        return
      case 'throttled':
        response.writeHead(429, { 'retry-after': '1' }).end()
        return
      case 'reset':
        response.socket?.resetAndDestroy()
        return
      case 'hanging':
        return
      default:
        answer satisfies never
    }
  }

  #plan(path: string, id: string): Answer {
    if (this.#options.isPoison(id)) return 'failed'
    const tries = this.#tries.get(path + id) ?? 0
    this.#tries.set(path + id, tries + 1)
    let luck = randomOf(this.#options.seed, path, id, tries).next()
    for (const fault of ['failed', 'throttled', 'reset', 'hanging'] as const) {
      luck -= this.#options.faults[fault]
      if (luck < 0) return fault
    }
    return 'taken'
  }

  #take(path: string, id: string): void {
    if (this.#known.has(path + id)) {
      this.duplicates += 1
      return
    }
    this.#known.add(path + id)
    const order = this.taken.get(path) ?? []
    order.push(id)
    this.taken.set(path, order)
    this.#onTaken()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
