import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { Connection } from './connection.ts'

/** A notification takes a lock of the whole server as it is committed. */
const RINGS_EVERY_MS = 50
const LOOKS_EVERY_MS = 15_000
const LISTEN = 'LISTEN shipbell_deliveries'
const NOTIFY = "SELECT pg_notify('shipbell_deliveries', $1)"
const LOOK = 'SELECT 1'

export interface DoorbellOptions {
  /** Straight to the server: a pooler in between would hand the connection on. */
  readonly url: string
  readonly clock: Pick<Clock, 'after' | 'monotonic' | 'sleep'>
  /** Another process has rung, or may have. */
  readonly heard: () => void
}

/**
 * By which processes tell each other that deliveries were committed. It is a hint, outside of all transactions: what is not heard
 * is found by the next look. Nothing throws.
 */
export class Doorbell implements AsyncDisposable {
  readonly #options: DoorbellOptions
  readonly #closing = new AbortController()
  readonly #listening: Promise<void>
  /** What the rings of this doorbell are known by: it does not hear them. */
  readonly #name = randomUUID()
  #connection: Connection | null = null
  #waiting: Disposable | null = null
  #restsUntil = -Infinity

  constructor(options: DoorbellOptions) {
    this.#options = options
    this.#listening = this.#listen()
  }

  /** At most once in a while: those that come sooner are one. */
  ring(): void {
    const { clock } = this.#options
    if (this.#waiting !== null || this.#connection === null) return
    this.#waiting = clock.after(Math.max(0, this.#restsUntil - clock.monotonic()), () => {
      this.#waiting = null
      this.#restsUntil = clock.monotonic() + RINGS_EVERY_MS
      this.#connection?.query(NOTIFY, [this.#name]).catch(() => undefined)
    })
  }

  async #listen(): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      this.#connection = await this.#opened()
      if (this.#connection !== null) await this.#keep(this.#connection)
      this.#connection = null
      await clock.sleep(LOOKS_EVERY_MS, signal)
    }
  }

  /** Looks after a connection until it is lost, or nobody listens any more. */
  async #keep(connection: Connection): Promise<void> {
    const lost = new AbortController()
    connection.onLost(() => lost.abort())
    const ended = AbortSignal.any([this.#closing.signal, lost.signal])
    while (!ended.aborted) {
      await this.#options.clock.sleep(LOOKS_EVERY_MS, ended)
      await connection.query(LOOK).catch(() => undefined)
    }
    await connection.close()
  }

  /** A connection that listens; null: the database is away, or does not let this user in. */
  async #opened(): Promise<Connection | null> {
    const { heard, url } = this.#options
    const connection = await Connection.open({ url }).catch(() => null)
    connection?.onNotification((name) => {
      if (name !== this.#name) heard()
    })
    try {
      await connection?.query(LISTEN)
      heard()
      return connection
    } catch {
      await connection?.close()
      return null
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#waiting?.[Symbol.dispose]()
    await this.#listening
  }
}
