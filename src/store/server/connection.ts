import { Socket } from 'node:net'
import { Client, DatabaseError, type QueryArrayResult, type QueryResult, type QueryResultRow } from 'pg'
import { ShipbellError } from '../../errors.ts'
import { dialledAddress } from './database-address.ts'
import { VALUE_TYPES } from './query.ts'

const CONNECT_TIMEOUT_MS = 3_000
/** An answer that takes longer does not come: the connection leads nowhere. */
const ANSWER_TIMEOUT_MS = 15_000
const GOODBYE_TIMEOUT_MS = 500

export interface ConnectionSettings {
  readonly url: string
  readonly connectTimeoutMs?: number
  /** How long the answer of a statement is awaited. */
  readonly answerTimeoutMs?: number
}

/** What a connection says that is of no use any more; `cause` is why. */
export class ConnectionLost extends Error {
  readonly isTimeout: boolean

  constructor(
    message: string,
    { cause, isTimeout = false }: { readonly cause?: unknown; readonly isTimeout?: boolean },
  ) {
    super(message, { cause })
    this.isTimeout = isTimeout
  }
}

/**
 * One connection to a server, over a socket of our own: it can be cut off whatever the server does. Statements that fail with it
 * throw `ConnectionLost`; what the server refuses is a `DatabaseError`.
 */
export class Connection {
  readonly #client: Client
  readonly #socket = new Socket()
  readonly #answerTimeoutMs: number
  #lost: ConnectionLost | null = null
  #isDirect = false
  /** What each transaction begins with, as a statement: the server has some settings otherwise. null: nothing. */
  settings: string | null = null
  /** The past (`PAST`) of the server that the connection leads to, as far as it is known. */
  past: string | null = null
  timeline: string | null = null

  private constructor({ url, answerTimeoutMs = ANSWER_TIMEOUT_MS, connectTimeoutMs }: ConnectionSettings) {
    this.#answerTimeoutMs = answerTimeoutMs
    this.#client = new Client({
      ...dialledAddress(url),
      stream: () => this.#socket,
      connectionTimeoutMillis: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      keepAlive: true,
      fallback_application_name: 'shipbell',
      types: VALUE_TYPES,
      // Statements that are asked for at once go out at once, each with an answer of its own.
      pipeline: true,
    })
    this.#client.on('error', (error) => this.cut(lostBy(error)))
    this.#client.on('end', () => this.cut(new ConnectionLost('the connection has ended', {})))
  }

  static async open(settings: ConnectionSettings): Promise<Connection> {
    const connection = new Connection(settings)
    try {
      await connection.#client.connect()
      return connection
    } catch (error) {
      connection.cut(lostBy(error))
      if (error instanceof DatabaseError) throw error
      throw lostBy(error)
    }
  }

  /** Whether it leads straight to a process of the server. */
  get isDirect(): boolean {
    return this.#isDirect
  }

  get isUsable(): boolean {
    return this.#lost === null
  }

  /** `name`: the plan is kept under it, where the connection keeps plans. */
  async query<Row extends QueryResultRow>(text: string, values?: unknown[], name?: string): Promise<QueryResult<Row>> {
    if (name === undefined || !this.#isDirect)
      return await this.#answered(async () => await this.#client.query<Row>(text, values))
    return await this.#answered(async () => await this.#client.query<Row>({ name, text, values }))
  }

  /**
   * `pid`: of the server's process that answers. A pooler tells its clients another number, since the next statement may be another
   * process's: then no plan is kept.
   */
  leadsTo(pid: number): void {
    const told: unknown = Reflect.get(this.#client, 'processID')
    this.#isDirect = told === pid
  }

  /** Several statements without values: an answer for each. */
  async script(sql: string, { patient = false } = {}): Promise<readonly (QueryResult | QueryArrayResult)[]> {
    const timeoutMs = patient ? 0 : this.#answerTimeoutMs
    return await this.#answered(async () => [await this.#client.query(sql)].flat(), timeoutMs)
  }

  /** Calls back with the payload of each notification. */
  onNotification(heard: (payload: string) => void): void {
    this.#client.on('notification', ({ payload = '' }) => heard(payload))
  }

  /** Calls back once the connection is of no use any more. */
  onLost(lost: () => void): void {
    this.#socket.once('close', lost)
  }

  async #answered<T>(ask: () => Promise<T>, timeoutMs = this.#answerTimeoutMs): Promise<T> {
    if (this.#lost !== null) throw this.#lost
    this.#sendTogether()
    const timer = timeoutMs === 0 ? undefined : setTimeout(() => this.cut(late(timeoutMs)), timeoutMs)
    try {
      return await ask()
    } catch (error) {
      if (error instanceof DatabaseError || error instanceof ShipbellError) throw error
      throw this.#lost ?? (this.#socket.destroyed ? lostBy(error) : error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** What is asked for at once goes out by one write, which costs more than what is written. */
  #sendTogether(): void {
    if (this.#socket.writableCorked > 0) return
    this.#socket.cork()
    process.nextTick(() => this.#socket.uncork())
  }

  /** Whatever is under way fails. */
  cut(why: ConnectionLost): void {
    this.#lost ??= why
    this.#socket.destroy(why)
  }

  /** Says goodbye to the server, as far as it listens. */
  async close(): Promise<void> {
    if (this.#lost !== null) return
    const timer = setTimeout(() => this.cut(late(GOODBYE_TIMEOUT_MS)), GOODBYE_TIMEOUT_MS)
    await this.#client.end().catch(() => undefined)
    clearTimeout(timer)
  }
}

function late(ms: number): ConnectionLost {
  return new ConnectionLost(`no answer within ${ms / 1_000} s`, { isTimeout: true })
}

function lostBy(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error
  const message = error instanceof Error && error.message !== '' ? error.message : codeOf(error)
  return new ConnectionLost(message, { cause: error, isTimeout: message.includes('timeout') })
}

/** Several addresses that all refuse are an error without a message. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
