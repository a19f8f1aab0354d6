import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Type and length of `BackendKeyData`: of a key of 4 bytes, as in the protocol that `pg` speaks. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12])

/** What becomes of a new connection, and of what flows over it. */
export interface Fault {
  /** Cut off once so many bytes have come from the server. */
  readonly cutAfter?: number
  /** What the server answers to COMMIT is dropped, and the connection cut. */
  readonly swallowsCommit?: true
  /** Likewise of a statement that has this in its text; then the server is away, as `isAway` says. */
  readonly swallows?: string
}

/** Stands between a program and a PostgreSQL, at a port of 127.0.0.1, and fails as networks do. */
export class DatabaseProxy implements AsyncDisposable {
  /** Of the next connections, in this order; then none fails. */
  faults: Fault[] = []
  /** Nothing gets through any more, in either direction, and new connections are never answered. */
  isBlackHole = false
  /** New connections are refused: the server is not there. */
  isAway = false
  /** Tells new connections another process of the server than the one that answers, as poolers do. */
  isPooler = false
  /** How many answers were dropped. */
  swallowed = 0
  /** How many connections were cut. */
  cuts = 0
  /** The address of the database. */
  target: string
  readonly #server: Server
  readonly #open = new Set<readonly [Socket, Socket]>()

  private constructor(target: string) {
    this.target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  static async start(target: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** Of the same database, through here. */
  get url(): string {
    const url = new URL(this.target.replace('postgres:///', 'postgres://placeholder/'))
    const address = this.#server.address()
    const user = url.searchParams.get('user') ?? url.username
    const login = url.password === '' ? user : `${user}:${url.password}`
    return `postgres://${login}@127.0.0.1:${typeof address === 'object' ? address?.port : 0}${url.pathname}`
  }

  /** Cuts every connection that is open. */
  cut(): void {
    for (const pair of this.#open) this.#end(pair)
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined)
    if (this.isAway) return void client.resetAndDestroy()
    const fault = this.faults.shift() ?? {}
    const server = this.#dial()
    server.on('error', () => client.destroy())
    const pair = [client, server] as const
    this.#open.add(pair)
    let [answered, isCommitting] = [0, false]
    client.on('data', (bytes) => {
      if (this.isBlackHole) return
      isCommitting ||= fault.swallowsCommit === true && bytes.includes('COMMIT')
      if (fault.swallows !== undefined && bytes.includes(fault.swallows)) {
        isCommitting = true
        this.isAway = true
        this.swallowed += 1
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (this.isBlackHole) return
      if (isCommitting) return this.#end(pair)
      if (this.isPooler) renumber(bytes)
      const rest = (fault.cutAfter ?? Number.POSITIVE_INFINITY) - answered
      answered += bytes.length
      client.write(bytes.subarray(0, rest))
      if (answered >= (fault.cutAfter ?? Number.POSITIVE_INFINITY)) client.end(() => this.#end(pair))
    })
    for (const socket of pair) socket.on('close', () => this.#end(pair))
  }

  #dial(): Socket {
    const { hostname, port, searchParams } = new URL(this.target.replace('postgres:///', 'postgres://127.0.0.1/'))
    const folder = searchParams.get('host')
    const number = searchParams.get('port') ?? (port === '' ? '5432' : port)
    return folder === null ? connect(Number(number), hostname) : connect(`${folder}/.s.PGSQL.${number}`)
  }

  #end(pair: readonly [Socket, Socket]): void {
    if (!this.#open.delete(pair)) return
    this.cuts += 1
    for (const socket of pair) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Of the message that names the server's process, its number. */
function renumber(bytes: Buffer): void {
  const at = bytes.indexOf(BACKEND_KEY)
  if (at !== -1) bytes.writeInt32BE(1, at + BACKEND_KEY.length)
}
