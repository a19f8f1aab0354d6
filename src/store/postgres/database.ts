import { Pool, type PoolClient } from 'pg'
import { databaseFailure, isConnectionLost, isContended, unreachable } from './database-failure.ts'
import { placeOf } from './database-place.ts'
import type { BoundValues, Query } from './query.ts'
import { ShipbellError } from '../../errors.ts'
import { VALUE_TYPES } from './value-types.ts'

const CONNECT_TIMEOUT_MS = 3_000
/** An answer that takes longer does not come: the connection leads nowhere. */
const ANSWER_TIMEOUT_MS = 15_000
const IDLE_MS = 60_000
/** Others wait for the rows of a transaction: a process that stands still within one is cut off. */
const STANDS_STILL = `SET LOCAL idle_in_transaction_session_timeout = '5s'`
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${STANDS_STILL}`
const BEGIN_WRITE = `BEGIN; ${STANDS_STILL}`
const NUMBERED = 'SELECT pg_current_xact_id()::text AS xid'
const WHAT_BECAME = 'SELECT pg_xact_status($1::xid8) AS status'
const WHO = `SELECT pg_is_in_recovery() AS recovering, current_setting('server_version_num')::int AS version`
const OLDEST = 15

const MOST_TRIES = 6
const FIRST_PAUSE_MS = 20

export interface DatabaseOptions {
  readonly url: string
  /** Connections at most. */
  readonly pool: number
}

export interface WriteOptions {
  /** `false`: a crash of the database may forget the last of them, as it may those of SQLite. For what is done anew then. */
  readonly durable?: boolean
}

/** Statements within one transaction, one after the other. */
export interface Transaction {
  all<Row>(query: Query<Row>, values?: BoundValues): Promise<readonly Row[]>
  one<Row>(query: Query<Row>, values?: BoundValues): Promise<Row | undefined>
  /** Returns the number of rows changed. */
  run(query: Query, values?: BoundValues): Promise<number>
  /** Several statements at once, without values. */
  script(sql: string): Promise<void>
}

/** Throws where a transaction that writes may not go on. */
type Guard = (tx: Transaction) => Promise<void>

/**
 * The connections to one database. Nothing is prepared by name and nothing is set beyond a transaction, so that PgBouncer may hand
 * each transaction to another connection. Throws `store_unusable` where the database cannot be reached, or refuses.
 */
export class Database implements AsyncDisposable {
  /** For people: never the password. */
  readonly place: string
  readonly #options: DatabaseOptions
  readonly #pool: Pool
  readonly #guard: Guard | null
  /** Connections that were found to lead to a server of use. */
  readonly #known = new WeakSet<PoolClient>()

  constructor(options: DatabaseOptions, shared: { readonly pool: Pool; readonly guard: Guard } | null = null) {
    const { pool, url } = options
    this.place = placeOf(url)
    this.#options = options
    this.#guard = shared?.guard ?? null
    if (shared !== null) {
      this.#pool = shared.pool
      return
    }
    this.#pool = new Pool({
      connectionString: url,
      max: pool,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      types: VALUE_TYPES,
    })
    // An idle connection that breaks is taken out of the pool; whoever asks next opens another one.
    this.#pool.on('error', () => undefined)
  }

  /** The same connections; but each transaction that writes begins with `guard`. It lives as long as this one. */
  guarded(guard: Guard): Database {
    return new Database(this.#options, { pool: this.#pool, guard })
  }

  /** One statement that only reads, without a transaction of its own: half the round trips. */
  async all<Row>(query: Query<Row>, values: BoundValues = {}): Promise<readonly Row[]> {
    return await this.#repeated(async (client) => await new ClientTransaction(client).all(query, values))
  }

  async one<Row>(query: Query<Row>, values: BoundValues = {}): Promise<Row | undefined> {
    return (await this.all(query, values))[0]
  }

  /** A transaction that sees one state of the store and may not write. `work` may be called again. */
  async read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#repeated(async (client) => {
      await client.query(BEGIN_READ)
      const result = await work(new ClientTransaction(client))
      await client.query('COMMIT')
      return result
    })
  }

  /**
   * A transaction that writes. `work` is called again where another transaction was in its way, and where the connection broke
   * before anything was committed. Where the answer to COMMIT did not come, the database is asked what became of it.
   */
  async write<T>(work: (tx: Transaction) => Promise<T>, { durable = true }: WriteOptions = {}): Promise<T> {
    return await this.#repeated(async (client) => {
      const xid = await begin(client, durable)
      const tx = new ClientTransaction(client)
      await this.#guard?.(tx)
      const result = await work(tx)
      try {
        await client.query('COMMIT')
      } catch (error) {
        if (!isConnectionLost(error) || !(await this.#isCommitted(xid))) throw error
      }
      return result
    })
  }

  /**
   * A number that the server of before gave to a transaction is another one's on a standby that was promoted without it, at worst:
   * then what was to be written is found missing, and done anew, by whoever reads next.
   */
  async #isCommitted(xid: string): Promise<boolean> {
    return await this.#repeated(async (client) => {
      const { rows } = await client.query<{ status: string | null }>(WHAT_BECAME, [xid])
      if (rows[0]?.status === 'in progress') throw new Error('the transaction has not ended')
      return rows[0]?.status === 'committed'
    })
  }

  async #repeated<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#withClient(work)
      } catch (error) {
        const isLost = isConnectionLost(error)
        if (attempt < MOST_TRIES && (isLost || isContended(error))) {
          await pause(attempt)
          continue
        }
        throw isLost ? unreachable(this.place, error) : databaseFailure(error, this.place)
      }
    }
  }

  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#pool.ending) throw new ShipbellError('store_unusable', `The store ${this.place} was already closed.`)
    const client = await this.#pool.connect()
    let problem: unknown
    const broke = (error: unknown): void => void (problem = error)
    client.on('error', broke)
    try {
      await this.#judge(client)
      return await work(client)
    } catch (error) {
      problem ??= error
      if (!isConnectionLost(problem)) problem = await rolledBack(client)
      throw error
    } finally {
      client.off('error', broke)
      client.release(problem !== undefined && problem !== null)
    }
  }

  async #judge(client: PoolClient): Promise<void> {
    if (this.#known.has(client)) return
    const { rows } = await client.query<{ recovering: boolean; version: number }>(WHO)
    const version = Math.trunc((rows[0]?.version ?? 0) / 10_000)
    if (version < OLDEST) {
      const sentence = `The database ${this.place} is PostgreSQL ${version}: Shipbell needs ${OLDEST} or newer.`
      throw new ShipbellError('store_unusable', sentence)
    }
    if (rows[0]?.recovering !== false) throw new Error('it is a standby')
    this.#known.add(client)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }
}

/** What is wrong with the connection afterwards; null: nothing. */
async function rolledBack(client: PoolClient): Promise<unknown> {
  try {
    await client.query('ROLLBACK')
    return null
  } catch (error) {
    return error
  }
}

async function begin(client: PoolClient, durable: boolean): Promise<string> {
  const lightly = durable ? '' : `; SET LOCAL synchronous_commit = off`
  const results: unknown = await client.query(`${BEGIN_WRITE}${lightly}; ${NUMBERED}`)
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  return (last as { readonly rows: readonly { readonly xid: string }[] }).rows[0]?.xid ?? '0'
}

async function pause(attempt: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
}

class ClientTransaction implements Transaction {
  readonly #client: PoolClient

  constructor(client: PoolClient) {
    this.#client = client
  }

  async all<Row>(query: Query<Row>, values: BoundValues = {}): Promise<readonly Row[]> {
    const { rows } = await this.#client.query(query.text, query.values(values))
    return rows as readonly Row[]
  }

  async one<Row>(query: Query<Row>, values: BoundValues = {}): Promise<Row | undefined> {
    return (await this.all(query, values))[0]
  }

  async run(query: Query, values: BoundValues = {}): Promise<number> {
    return (await this.#client.query(query.text, query.values(values))).rowCount ?? 0
  }

  async script(sql: string): Promise<void> {
    await this.#client.query(sql)
  }
}
