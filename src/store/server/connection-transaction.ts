import type { QueryResultRow } from 'pg'
import type { Connection } from './connection.ts'
import type { BoundValues, Query } from './query.ts'

/** Cuts off a process that stands still within a transaction: others wait for the rows. */
export const STANDS_STILL = `SET LOCAL idle_in_transaction_session_timeout = '5s'`
/**
 * The answer of a client that waits for longer than the lock time-out is not awaited any more. Bitmap scans never mark what is dead in
 * an index: those over rows that change twice a delivery would look at each earlier version of them, until the next vacuum. A table
 * that was empty when a statement was planned is not read as a whole for as long as the plan is kept. A plan is made once, and not for
 * each length of a list: to plan these statements takes longer than to run them.
 */
const BEGIN_LIGHTLY = `BEGIN; ${STANDS_STILL}; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = '10s';
  SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_generic_plan`

/** `begin`, and what each transaction of this connection begins with. */
export function withSettings(begin: string, { settings }: Connection): string {
  return settings === null ? begin : `${begin}; ${settings}`
}

/** The statements of one transaction over a connection. Those that are asked for at once go out together. */
export class ConnectionTransaction {
  readonly #connection: Connection
  readonly #begun: Promise<unknown> | null

  /** `begun`: nothing is written before. */
  constructor(connection: Connection, begun: Promise<unknown> | null = null) {
    this.#connection = connection
    this.#begun = begun
  }

  async all<Row>(query: Query<Row>, values: BoundValues = {}): Promise<readonly Row[]> {
    const { rows } = await this.#connection.query<Row & QueryResultRow>(query.text, query.values(values), query.name)
    return rows
  }

  async one<Row>(query: Query<Row>, values: BoundValues = {}): Promise<Row | undefined> {
    return (await this.all(query, values))[0]
  }

  async run(query: Query, values: BoundValues = {}): Promise<number> {
    if (this.#begun !== null) await this.#begun
    return (await this.#connection.query(query.text, query.values(values), query.name)).rowCount ?? 0
  }

  async script(sql: string): Promise<void> {
    await this.#connection.script(sql, { patient: true })
  }
}

/** Statements that are each a transaction by itself where nothing has to be set for them. */
export async function apart<T>(
  connection: Connection,
  work: (source: ConnectionTransaction) => Promise<T>,
): Promise<T> {
  const source = new ConnectionTransaction(connection)
  if (connection.settings === null) return await work(source)
  await connection.script(withSettings('BEGIN', connection))
  const answer = await work(source)
  await connection.query('COMMIT')
  return answer
}

/** A statement that writes, with its values. */
export interface Write {
  readonly query: Query
  readonly values: BoundValues
}

/** What a transaction comes to: its result, and what it writes at its end. */
export interface Decision<T> {
  readonly result: T
  readonly writes: readonly Write[]
}

/**
 * A transaction of two round trips: its begin goes out with the first statements that `work` asks for, and its end with what it
 * decided to write. Where a write fails, the end makes nothing of it come true.
 */
export async function decideLightly<T>(
  connection: Connection,
  work: (tx: ConnectionTransaction) => Promise<Decision<T>>,
): Promise<T> {
  const begun = connection.script(withSettings(BEGIN_LIGHTLY, connection))
  const [, { result, writes }] = await allEnded([begun, work(new ConnectionTransaction(connection, begun))])
  const tx = new ConnectionTransaction(connection)
  const written = writes.map(({ query, values }) => tx.run(query, values))
  await allEnded([...written, connection.query('COMMIT')])
  return result
}

/** One statement that only reads, by a plan that is made once. */
export async function glance<Row>(
  connection: Connection,
  query: Query<Row>,
  values: BoundValues,
): Promise<readonly Row[]> {
  const begun = connection.script(withSettings(BEGIN_LIGHTLY, connection))
  const asked = new ConnectionTransaction(connection).all(query, values)
  const [, rows] = await allEnded([begun, asked, connection.query('COMMIT')])
  return rows
}

/** Waits for all of them, also where one fails: what is under way on a connection must not meet what comes next. */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<{ readonly [K in keyof Works]: Awaited<Works[K]> }> {
  await Promise.allSettled(works)
  return await Promise.all(works)
}
