import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { issueCertificate } from '../../support/certificate.ts'
import { listening } from './listening.ts'

/** Shorter than what lies between two deliveries. */
const IDLE_MS = 15

/** What endpoints do to those who send to them, each under a path of its own. */
export class SoakReceivers implements AsyncDisposable {
  /** The authority of `tlsUrl`, PEM. */
  readonly authority: string
  readonly #taken = new Map<string, number>()
  readonly #servers: readonly Server[]
  url = ''
  tlsUrl = ''

  private constructor() {
    const { cert, key } = issueCertificate({ name: 'soak', hosts: ['127.0.0.1'], authority: true })
    this.authority = cert
    const answer = (request: IncomingMessage, response: ServerResponse): void => this.#answer(request, response)
    this.#servers = [createServer(answer), createTlsServer({ cert, key }, answer)]
    for (const server of this.#servers) server.keepAliveTimeout = 60_000
  }

  static async start(): Promise<SoakReceivers> {
    const receivers = new SoakReceivers()
    const [plain = '', tls = ''] = await Promise.all(receivers.#servers.map(listening))
    receivers.url = plain
    receivers.tlsUrl = tls.replace('http:', 'https:')
    return receivers
  }

  /** Requests that were answered 204 under this path. */
  taken(path: string): number {
    return this.#taken.get(path) ?? 0
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? ''
    request.resume()
    request.on('end', () => {
      if (path === '/hangs') return
      const status = path === '/fails' ? 500 : 204
      if (status === 204) this.#taken.set(path, this.taken(path) + 1)
      if (path === '/hangs-up') response.setHeader('connection', 'close')
      response.writeHead(status).end()
      if (path === '/closes') setTimeout(() => request.socket.destroy(), IDLE_MS)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
  }
}
