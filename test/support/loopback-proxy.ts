import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** What is done with a request: passed on, left without an answer, hung up on, or answered with this text. */
type Manner = 'passes' | 'hangs' | 'hangs up' | { readonly says: string }

export interface Asked {
  /** `CONNECT erp.example:443`, `POST http://erp.example/hooks` */
  readonly line: string
  readonly authorization: string | undefined
}

/** An HTTP proxy on loopback, over TLS or not. For it every name is this machine. It lives as long as the test. */
export class LoopbackProxy {
  readonly asked: Asked[] = []
  readonly tunnels: Socket[] = []
  manner: Manner = 'passes'
  /** `user:password` that it wants; null: none. */
  login: string | null = null
  readonly #server: Server
  readonly #scheme: string

  private constructor(tls: TlsOptions | undefined) {
    this.#scheme = tls === undefined ? 'http' : 'https'
    this.#server = tls === undefined ? createServer() : createTlsServer(tls)
    this.#server.on('connect', (request: IncomingMessage, socket: Socket) => this.#tunnel(request, socket))
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#forward(request, response))
  }

  static async start(tls?: TlsOptions): Promise<LoopbackProxy> {
    const proxy = new LoopbackProxy(tls)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    onTestFinished(async () => {
      for (const socket of proxy.tunnels) socket.destroy()
      proxy.#server.closeAllConnections()
      proxy.#server.close()
      await once(proxy.#server, 'close')
    })
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`
  }

  /** What is configured, with this login. */
  address(login = ''): string {
    return `${this.#scheme}://${login === '' ? '' : `${login}@`}127.0.0.1:${this.port}`
  }

  get lines(): readonly string[] {
    return this.asked.map(({ line }) => line)
  }

  #hear({ method = '', url = '', headers }: IncomingMessage): Manner {
    const { 'proxy-authorization': authorization } = headers
    this.asked.push({ line: `${method} ${url}`, authorization })
    const wanted = this.login === null ? undefined : `Basic ${Buffer.from(this.login).toString('base64')}`
    return wanted !== undefined && authorization !== wanted ? { says: DENIED } : this.manner
  }

  #tunnel(request: IncomingMessage, socket: Socket): void {
    this.tunnels.push(socket.on('error', () => undefined))
    const manner = this.#hear(request)
    if (manner === 'hangs') return
    if (manner === 'hangs up') socket.destroy()
    else if (manner !== 'passes') socket.write(manner.says)
    else {
      const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(target).pipe(socket)
      })
      this.tunnels.push(target.on('error', () => socket.destroy()).on('close', () => socket.destroy()))
      socket.on('close', () => target.destroy())
    }
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { socket, method = 'GET', url = '' } = request
    const manner = this.#hear(request)
    if (manner === 'hangs') return
    if (manner === 'hangs up') socket.destroy()
    else if (manner !== 'passes') socket.write(manner.says)
    else {
      const { pathname, port, search } = new URL(url)
      const { 'proxy-authorization': _ours, ...headers } = request.headers
      const onward = ask({ method, port, path: pathname + search, headers, host: '127.0.0.1' }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward.on('error', () => socket.destroy()))
    }
  }
}

const DENIED =
  'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 5\r\n\r\nlogin'
