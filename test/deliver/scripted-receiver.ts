import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { TLSSocket, TlsOptions } from 'node:tls'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly response: ServerResponse
}

type Answer = (request: ReceivedRequest) => void

/** A loopback endpoint that keeps what it got and answers as a test says. */
export class ScriptedReceiver implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = []
  answer: Answer
  /** Of a receiver that speaks TLS. */
  onConnection: (socket: TLSSocket) => void = () => undefined
  readonly #server: Server
  #waiting: { count: number; resolve: () => void }[] = []

  private constructor(server: Server, answer: Answer) {
    this.#server = server
    this.answer = answer
    server.on('secureConnection', (socket: TLSSocket) => this.onConnection(socket))
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        this.#received({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body,
          response,
        })
      })
    })
  }

  static async start(answer: Answer = status(200), host = '127.0.0.1', tls?: TlsOptions): Promise<ScriptedReceiver> {
    const server = tls === undefined ? createServer() : createTlsServer(tls)
    server.listen(0, host)
    await once(server, 'listening')
    return new ScriptedReceiver(server, answer)
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Connections made so far are not counted: only whole requests. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ count, resolve })
    await promise
  }

  #received(request: ReceivedRequest): void {
    this.requests.push(request)
    this.answer(request)
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): Answer {
  return ({ response }) => {
    response.writeHead(code, headers)
    response.end(body)
  }
}

/** Takes the request and never answers. */
export const hang: Answer = () => undefined
