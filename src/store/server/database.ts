import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { ShipbellError } from '../../errors.ts'
import {
  allEnded,
  apart,
  ConnectionTransaction,
  decideLightly,
  type Decision,
  glance,
  STANDS_STILL,
  withSettings,
} from './connection-transaction.ts'
import { type Connection, ConnectionLost } from './connection.ts'
import { Connections } from './connections.ts'
import { databaseFailure, isAway, isConnectionLost, isContended, unreachable } from './database-failure.ts'
import { placeOf } from './database-address.ts'
import { judgeServer, lifeOf, PAST, timelineOf } from './judge-server.ts'
import type { BoundValues, Query } from './query.ts'
import { ReadsTogether, type Source } from './reads-together.ts'

/**
 * Lists want a few rows of many in the order of an index. Where the planner takes all that are asked for to be few, it would gather
 * and sort them; and what only looks is over before a compiler of its expressions or processes beside it would begin.
 */
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${STANDS_STILL}; SET LOCAL jit = off;
  SET LOCAL enable_bitmapscan = off; SET LOCAL max_parallel_workers_per_gather = 0`
const BEGIN_WRITE = `BEGIN; ${STANDS_STILL}`
const NUMBERED = `SELECT pg_current_xact_id()::text AS xid, ${PAST} AS past`
const WHAT_BECAME = `SELECT pg_xact_status($1::xid8) AS status, ${PAST} AS past`

const MOST_TRIES = 7
/** How many tries that end with a time-out are made: nobody waits for seven of them. */
const TRIES_OF_TIMEOUT = 4
const FIRST_PAUSE_MS = 20
/** What became of a transaction is worth a longer wait than another transaction: some half a minute. */
const MOST_QUESTIONS = 60
const QUESTION_PAUSE_MS = 500
/** No other may have had that number: the server is another one, which does not know it. */
const NO_SUCH_NUMBER = '22023'

export interface DatabaseOptions {
  readonly url: string
  /** Connections at most. */
  readonly pool: number
  /** Nothing is written: whatever would, throws `store_unusable`. */
  readonly readonly?: boolean
  /** How long the answer of a statement is awaited; left out: nobody waits for long. */
  readonly answerTimeoutMs?: number
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
  /** Several statements at once, without values; they may take as long as they take. */
  script(sql: string): Promise<void>
}

/** Throws where a transaction that writes may not go on. */
type Guard = (tx: Transaction) => Promise<void>

/** How a transaction ended; `unanswered`: which it was, where the connection broke at its end. */
interface Ended<T> {
  readonly result: T
  readonly unanswered: NumberedTransaction | null
}

/** What all that share the connections know of a COMMIT that did not end. */
interface Unended {
  /** The transaction whose COMMIT did not end for as long as anybody waits for one; null: there is none, as far as is known. */
  last: NumberedTransaction | null
}

/** A transaction that writes, by the number that it has in the past of its server. */
interface NumberedTransaction {
  readonly xid: string
  readonly past: string
  readonly timeline: string | null
}

/**
 * The connections to one database. Nothing is set beyond a transaction, and plans are kept only on connections that lead straight to
 * the server, so that PgBouncer may hand each transaction to another connection. What fails because the server is away for a moment is done anew, for a second or so.
 * Throws `store_unusable` where the database cannot be reached, or refuses.
 */
export class Database implements AsyncDisposable {
  /** For people: never the password. */
  readonly place: string
  readonly #options: DatabaseOptions
  readonly #connections: Connections
  readonly #guard: Guard | null
  readonly #unended: Unended
  /** Reads of whoever only looks: a page asks much at once, and nobody waits for a part of it. null: each goes by itself. */
  readonly #together: ReadsTogether | null

  constructor(
    options: DatabaseOptions,
    shared: { readonly connections: Connections; readonly guard: Guard; readonly unended: Unended } | null = null,
  ) {
    const { answerTimeoutMs, pool, url } = options
    this.place = placeOf(url)
    this.#options = options
    this.#guard = shared?.guard ?? null
    this.#unended = shared?.unended ?? { last: null }
    const timeouts = answerTimeoutMs === undefined ? {} : { answerTimeoutMs }
    this.#connections =
      shared?.connections ?? new Connections({ url, ...timeouts, most: pool, judge: judgeServer(this.place) })
    const [whole, single] = [this.#read.bind(this), this.#apart.bind(this)]
    this.#together = options.readonly === true ? new ReadsTogether({ place: this.place, whole, single }) : null
  }

  /** A database by the same connections, in which each transaction that writes begins with `guard`. It lives as long as this one. */
  guarded(guard: Guard): Database {
    return new Database(this.#options, { connections: this.#connections, guard, unended: this.#unended })
  }

  /** Gives up what is under way: no answer will come. It is done anew over other connections. */
  cut(why: string): void {
    this.#connections.cut(new ConnectionLost(why, {}))
  }

  /** What is another text once rows may be others by the same numbers, also for whoever remembers nothing. */
  async life(): Promise<string> {
    return await this.#repeated(lifeOf)
  }

  /** Whether it was opened to be read alone: then no transaction writes. */
  get readonly(): boolean {
    return this.#options.readonly === true
  }

  /** Stands for what was learnt of rows, guarded or not (`Connections.memory`): to be asked before they are read. */
  get memory(): object {
    return this.#connections.memory
  }

  /** One statement that only reads, without a transaction of its own: half the round trips. */
  async all<Row>(query: Query<Row>, values: BoundValues = {}): Promise<readonly Row[]> {
    const work = async (source: Source): Promise<readonly Row[]> => await source.all(query, values)
    return this.#together === null ? await this.#apart(work) : await this.#together.ask(work, { isWhole: false })
  }

  async #apart<T>(work: (source: Source) => Promise<T>): Promise<T> {
    return await this.#repeated(async (connection) => await apart(connection, work))
  }

  async one<Row>(query: Query<Row>, values: BoundValues = {}): Promise<Row | undefined> {
    return (await this.all(query, values))[0]
  }

  /**
   * A transaction of two round trips that others wait for, and that a crash of the database may forget. `work` looks, under locks, and
   * returns what is written then. It is called again where another transaction was in its way, and where the
   * connection broke: then it may have been done already, and `work` is told so.
   */
  async decide<T>(work: (tx: Transaction, isAgain: boolean) => Promise<Decision<T>>): Promise<T> {
    let isAgain = false
    return await this.#repeated(async (connection) => {
      const wasTried = isAgain
      isAgain = true
      return await decideLightly(connection, async (tx) => await work(tx, wasTried))
    })
  }

  /** One statement that only reads, by a plan that is made once, in one round trip. */
  async glance<Row>(query: Query<Row>, values: BoundValues): Promise<readonly Row[]> {
    return await this.#repeated(async (connection) => await glance(connection, query, values))
  }

  /** A transaction that sees one state of the store and may not write. Its begin goes out with its first statement. `work` may be called again. */
  async read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#together === null ? await this.#read(work) : await this.#together.ask(work, { isWhole: true })
  }

  async #read<T>(work: (tx: Source) => Promise<T>): Promise<T> {
    return await this.#repeated(async (connection) => {
      const begun = connection.script(withSettings(BEGIN_READ, connection))
      const [, result] = await allEnded([begun, work(new ConnectionTransaction(connection))])
      await connection.query('COMMIT')
      return result
    })
  }

  /**
   * A transaction that writes. `work` is called again where another transaction was in its way, and where the connection broke
   * before anything was committed. Where the answer to COMMIT did not come, the database is asked what became of it.
   */
  async write<T>(work: (tx: Transaction) => Promise<T>, { durable = true }: WriteOptions = {}): Promise<T> {
    if (this.readonly) throw new ShipbellError('store_unusable', `The store ${this.place} was opened to be read alone.`)
    for (;;) {
      if (durable) await this.#refuseBehindUnended()
      const { result, unanswered } = await this.#repeated(async (connection) => {
        const begun = await begin(connection, durable)
        this.#connections.leads(connection, begun.past)
        const tx = new ConnectionTransaction(connection)
        await this.#guard?.(tx)
        return await ended(connection, begun, await work(tx))
      }, durable)
      if (unanswered === null || (await this.#isCommitted(unanswered))) return result
    }
  }

  /**
   * Where a COMMIT does not end, because a standby that it waits for is away, no other would: each would keep a connection of the
   * server for as long.
   */
  async #refuseBehindUnended(): Promise<void> {
    const { last } = this.#unended
    if (last === null) return
    if ((await this.#whatBecame(last)) === 'in progress') throw unreachable(this.place, doesNotEnd())
    this.#unended.last = null
  }

  async #isCommitted(unanswered: NumberedTransaction): Promise<boolean> {
    for (let question = 1; ; question += 1) {
      const status = await this.#whatBecame(unanswered).catch((error: unknown) => {
        if (!isAway(error) || question >= MOST_QUESTIONS) throw error
        return 'in progress'
      })
      if (status !== 'in progress') return status === 'committed'
      if (question >= MOST_QUESTIONS) {
        this.#unended.last = unanswered
        throw unreachable(this.place, doesNotEnd())
      }
      await sleep(QUESTION_PAUSE_MS)
    }
  }

  /**
   * null: it is not known there. On a standby that was promoted the number may be another transaction's: whether it was committed
   * cannot be told then, and it is done anew, which finds what is done already.
   */
  async #whatBecame({ past, timeline, xid }: NumberedTransaction): Promise<string | null> {
    return await this.#repeated(async (connection) => {
      try {
        const { rows } = await connection.query<{ status: string | null; past: string }>(WHAT_BECAME, [xid])
        const isSame = rows[0]?.past === past || timeline === null || timeline === (await timelineOf(connection))
        return isSame ? (rows[0]?.status ?? null) : null
      } catch (error) {
        if (error instanceof DatabaseError && error.code === NO_SUCH_NUMBER) return null
        throw error
      }
    })
  }

  async #repeated<T>(work: (connection: Connection) => Promise<T>, waits = false): Promise<T> {
    for (let tries = 1; ;) {
      if (this.#connections.isClosed)
        throw new ShipbellError('store_unusable', `The store ${this.place} was already closed.`)
      try {
        return await this.#connections.use(work, { waits })
      } catch (error) {
        const isLost = isConnectionLost(error)
        tries += error instanceof ConnectionLost && error.isTimeout ? TRIES_OF_TIMEOUT : 1
        if (tries > MOST_TRIES || !(isLost || isContended(error)))
          throw isLost ? unreachable(this.place, error) : databaseFailure(error, this.place)
        await sleep(FIRST_PAUSE_MS * 2 ** (tries - 2))
      }
    }
  }

  /** What is under way goes on to its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]()
  }
}

function doesNotEnd(): ConnectionLost {
  return new ConnectionLost('a COMMIT does not end: the server may wait for a standby that is away', {})
}

async function begin(connection: Connection, durable: boolean): Promise<NumberedTransaction> {
  const lightly = durable ? '' : `; SET LOCAL synchronous_commit = off`
  const results = await connection.script(`${withSettings(BEGIN_WRITE, connection)}${lightly}; ${NUMBERED}`)
  const row: unknown = results.at(-1)?.rows[0]
  const { timeline } = connection
  if (typeof row !== 'object' || row === null || !('xid' in row && 'past' in row))
    throw new ConnectionLost('it began no transaction', {})
  return { xid: String(row.xid), past: String(row.past), timeline }
}

async function ended<T>(connection: Connection, begun: NumberedTransaction, result: T): Promise<Ended<T>> {
  try {
    await connection.query('COMMIT')
    return { result, unanswered: null }
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    connection.cut(new ConnectionLost('the answer to COMMIT did not come', { cause: error }))
    return { result, unanswered: begun }
  }
}
