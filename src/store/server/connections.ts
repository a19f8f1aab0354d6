import { Connection, ConnectionLost, type ConnectionSettings } from './connection.ts'
import { isConnectionLost, isFull } from './database-failure.ts'
import { timelineOf } from './judge-server.ts'

/** Places for so many at once; whoever finds none free waits for his turn. */
class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

const IDLE_MS = 60_000

interface ConnectionsOptions extends ConnectionSettings {
  /** How many at most. */
  readonly most: number
  /** Throws where a connection leads to no server of use. */
  readonly judge: (connection: Connection) => Promise<void>
}

interface Idle {
  readonly connection: Connection
  readonly expiry: NodeJS.Timeout
}

/**
 * At most so many connections, each for one piece of work at a time; who finds none free waits for his turn, also where the server
 * has fewer to give. Where one is lost, those that stand idle go with it: they led to the same server, which has gone or is another
 * one by now.
 */
export class Connections implements AsyncDisposable {
  readonly #options: ConnectionsOptions
  /** Connections that stand idle, those used last at the end. */
  readonly #idle: Idle[] = []
  readonly #inUse = new Set<Connection>()
  readonly #places: Places
  /** Places for work that may wait for a standby, one less than all: a COMMIT may not end while it is away, and other work goes on. */
  readonly #waitingPlaces: Places
  /** Work that has a turn and got no connection of the server; each end of other work lets one try again. */
  readonly #starved: (() => void)[] = []
  #closed = false
  #memory: object = {}
  #past: string | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#places = new Places(options.most)
    this.#waitingPlaces = new Places(Math.max(1, options.most - 1))
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Stands for what was learnt of rows by their numbers: another object once these may be other rows. */
  get memory(): object {
    return this.#memory
  }

  /** The server that answers has this past (`PAST`). Connections that lead to one with another are of no use any more. */
  leads(connection: Connection, past: string): void {
    connection.past = past
    if (past === this.#past) return
    this.#past = past
    this.#memory = {}
    const why = new ConnectionLost('it leads to a server of before', {})
    for (const idle of this.#takeAllIdle()) idle.cut(why)
    for (const each of this.#inUse) if (each !== connection && each.past !== past) each.cut(why)
  }

  /** `waits`: for what waits at its end until others have it. */
  async use<T>(work: (connection: Connection) => Promise<T>, { waits = false } = {}): Promise<T> {
    if (waits) return await this.#waitingPlaces.hold(async () => await this.use(work))
    return await this.#places.hold(async () => {
      try {
        return await this.#work(work)
      } finally {
        this.#starved.shift()?.()
      }
    })
  }

  /** Cuts all of them off, in use or not. */
  cut(why: ConnectionLost): void {
    for (const connection of [...this.#takeAllIdle(), ...this.#inUse]) connection.cut(why)
  }

  async #work<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take()
    this.#inUse.add(connection)
    try {
      return await work(connection)
    } catch (error) {
      if (isConnectionLost(error)) this.#lost(connection, error)
      else await connection.query('ROLLBACK').catch((problem: unknown) => this.#lost(connection, problem))
      throw error
    } finally {
      this.#inUse.delete(connection)
      await this.#keep(connection)
    }
  }

  async #take(): Promise<Connection> {
    for (let isNext = this.#starved.length === 0; ; isNext = true) {
      const idle = this.#takeIdle()
      if (idle !== undefined) return idle
      try {
        if (isNext) return await this.#open()
      } catch (error) {
        if (!isFull(error)) throw error
        if (this.#idle.length > 0) continue
        if (this.#inUse.size === 0) throw error
      }
      await new Promise<void>((resolve) => this.#starved.push(resolve))
    }
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const last = this.#idle.pop()
      clearTimeout(last?.expiry)
      if (last === undefined || last.connection.isUsable) return last?.connection
    }
  }

  async #open(): Promise<Connection> {
    const connection = await Connection.open(this.#options)
    try {
      await this.#options.judge(connection)
      connection.timeline = await timelineOf(connection)
      if (connection.past !== null) this.leads(connection, connection.past)
      return connection
    } catch (error) {
      connection.cut(new ConnectionLost('it leads to no server of use', { cause: error }))
      throw error
    }
  }

  #lost(connection: Connection, error: unknown): void {
    this.#memory = {}
    const why = new ConnectionLost('another connection to the same server was lost', { cause: error })
    for (const each of [connection, ...this.#takeAllIdle()]) each.cut(why)
  }

  #takeAllIdle(): readonly Connection[] {
    return this.#idle.splice(0).map(({ connection, expiry }) => {
      clearTimeout(expiry)
      return connection
    })
  }

  async #keep(connection: Connection): Promise<void> {
    if (!connection.isUsable) return
    if (this.#closed) return await connection.close()
    const idle = { connection, expiry: setTimeout(() => this.#expired(idle), IDLE_MS).unref() }
    this.#idle.push(idle)
  }

  #expired(idle: Idle): void {
    const place = this.#idle.indexOf(idle)
    if (place === -1) return
    this.#idle.splice(place, 1)
    void idle.connection.close()
  }

  /** What is in use goes on to its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await Promise.all(this.#takeAllIdle().map(async (connection) => await connection.close()))
  }
}
