import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { allSteps, stepsInTurns } from '../../clock.ts'
import { ShipbellError } from '../../errors.ts'
import { BusyWait } from './busy-wait.ts'
import { Checkpoints } from './checkpoints.ts'
import { configure } from './configure.ts'
import { type Bound, Query, type Value } from './query.ts'
import type { StorePlace } from './store-place.ts'
import { storeFailure } from './store-file.ts'

/** While SQLite itself waits for another program's lock, nothing else is done. */
const STANDSTILL_MS = 10

const VERSION = new Query('PRAGMA schema_version')
const OTHERS = new Query<{ data_version: number }>('PRAGMA data_version')

/** Some milliseconds: while one state is held no checkpoint gets beyond it, so a copy has to be quick. */
const PAGES_OF_A_STEP = 2_000

type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

export interface ConnectionOptions {
  readonly readonly: boolean
  /** How long whatever is done waits for another connection's lock; nothing else is done meanwhile, until `waitInSteps`. */
  readonly busyTimeoutMs: number
  /** Called with what is thrown whenever a file of the store is found not to be in its place. */
  readonly onLost?: (error: ShipbellError) => void
}

/** One connection to a store's file: transactions, and statements. */
export class Connection implements Disposable {
  readonly path: string
  readonly readonly: boolean
  readonly #sqlite: Sqlite.Database
  readonly #commands = new Map<string, Sqlite.Statement<Bound[]>>()
  readonly #onLost: (error: ShipbellError) => void
  /** What `once` has run since the last rollback. */
  readonly #ran = new Map<string, Set<string>>()
  /** Most locks let others read. */
  #busy: { readonly reads: BusyWait; readonly writes: BusyWait } | null = null
  #place: StorePlace | null = null
  #guard: () => void = () => undefined
  readonly #checkpoints: Checkpoints
  /** Another one whenever documents may have gone. */
  #standing = Symbol('standing')
  /** Changes with each commit of another connection. */
  #others: number | null = null
  #isOpen = true

  /** The file must exist. Throws SQLite's own errors: the caller gives them their sentence. */
  constructor(path: string, options: ConnectionOptions) {
    this.path = path
    this.readonly = options.readonly
    this.#onLost = options.onLost ?? (() => undefined)
    this.#checkpoints = new Checkpoints(this)
    this.#sqlite = new Sqlite(path, { readonly: options.readonly, fileMustExist: true, timeout: options.busyTimeoutMs })
    using opening = new DisposableStack()
    opening.use(this)
    configure(this.#sqlite, options)
    opening.move()
  }

  /** From now on whoever waits for another program's lock lets everything else go on. `onFree`: it went, after it was told. */
  waitInSteps(patienceMs: number, onFree: () => void = () => undefined): void {
    this.#busy = { reads: new BusyWait(patienceMs), writes: new BusyWait(patienceMs, onFree) }
    this.#sqlite.pragma(`busy_timeout = ${Math.min(STANDSTILL_MS, patienceMs)}`)
  }

  /** From now on nothing is committed while a file is not in its place. */
  keepTo(place: StorePlace): void {
    this.#place = place
    this.assertInPlace()
  }

  /** From now on each transaction that writes begins with `guard`: nothing is written where that throws. */
  guardWrites(guard: () => void): void {
    this.#guard = guard
  }

  /** Throws `store_unusable` where the path does not lead to the file that is open any more. */
  assertInPlace(): void {
    const problem = this.#place?.problem() ?? null
    if (problem === null) return
    this.#onLost(problem)
    throw problem
  }

  all<Row>(query: Query<Row>, ...values: readonly Bound[]): readonly Row[] {
    return query.on(this.#sqlite).all(...values)
  }

  one<Row>(query: Query<Row>, ...values: readonly Bound[]): Row | undefined {
    return query.on(this.#sqlite).get(...values)
  }

  /** Rows as lists of values, each read when it is asked for. Nothing else may be asked meanwhile. */
  lines(sql: string): Iterable<readonly Value[]> {
    return this.#sqlite.prepare<[], readonly Value[]>(sql).raw().iterate()
  }

  /** Returns the number of rows changed. The statement is prepared once and kept. */
  run(sql: string, ...values: readonly Bound[]): number {
    return this.#command(sql).run(...values).changes
  }

  /** Runs a command that adds one row, and returns the row's key; null where it added none. */
  insert(sql: string, ...values: readonly Bound[]): number | null {
    const { changes, lastInsertRowid } = this.#command(sql).run(...values)
    return changes === 0 ? null : Number(lastInsertRowid)
  }

  #command(sql: string): Sqlite.Statement<Bound[]> {
    let statement = this.#commands.get(sql)
    if (statement === undefined) {
      statement = this.#sqlite.prepare<Bound[]>(sql)
      this.#commands.set(sql, statement)
    }
    return statement
  }

  /** For a command that changes nothing the second time: runs it once, and again where its transaction was rolled back. */
  once(sql: string, value: string): void {
    const values = this.#ran.get(sql) ?? new Set<string>()
    if (values.has(value)) return
    this.run(sql, value)
    this.#ran.set(sql, values.add(value))
  }

  /** Several statements at once, without values. */
  script(sql: string): void {
    this.#sqlite.exec(sql)
  }

  /** A transaction that sees one state of the store and may not write. */
  async read<T>(work: () => T): Promise<T> {
    const transaction = (): T => this.transact('BEGIN', work)
    return this.#busy === null ? transaction() : await this.#busy.reads.whenever(transaction)
  }

  /** Runs work that is one statement, which sees one state by itself. */
  async look<T>(work: () => T): Promise<T> {
    const looked = (): T => this.#look(work)
    return this.#busy === null ? looked() : await this.#busy.reads.whenever(looked)
  }

  #look<T>(work: () => T): T {
    this.#assertOpen()
    try {
      return work()
    } catch (error) {
      throw storeFailure(error, this.path)
    }
  }

  /** Whether it is open, and no transaction is under way. */
  get isIdle(): boolean {
    return this.#isOpen && !this.#sqlite.inTransaction
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw new ShipbellError('store_unusable', `The store ${this.path} was already closed.`)
  }

  /**
   * A transaction that holds the write lock from its start, so what it reads is still so when it writes. `onCommit` keeps in memory
   * what it did, before anything else can be asked.
   */
  async write<T>(work: () => T, onCommit: (result: T) => void = () => undefined): Promise<T> {
    const transaction = (): T => {
      const result = this.transact('BEGIN IMMEDIATE', work)
      onCommit(result)
      return result
    }
    const result = this.#busy === null ? transaction() : await this.#busy.writes.inLine(transaction)
    this.#checkpoints.committed()
    return result
  }

  /**
   * As `write`; of work that `isLong` with everything else of the process between two steps. Nobody is answered by the connection
   * before the end, so that nobody sees what is not committed.
   */
  async writeInTurns<T>(steps: () => Iterator<undefined, T>, isLong: boolean): Promise<T> {
    if (this.#busy === null || !isLong) return await this.write(() => allSteps(steps()))
    const { reads, writes } = this.#busy
    const result = await writes.inLine(() => {
      this.#begin('BEGIN IMMEDIATE')
      return reads.hold(async () => await this.#goOn(async () => await stepsInTurns(steps(), nextTurn)))
    })
    this.#checkpoints.committed()
    return result
  }

  /** A document that is read now is there as long as this is the `standing` of a write transaction. */
  get lastStanding(): symbol {
    return this.#standing
  }

  /** What `lastStanding` is within a write transaction, which sees what others have committed. */
  standing(): symbol {
    const others = this.one(OTHERS)?.data_version ?? null
    if (others !== this.#others) this.noteGone()
    this.#others = others
    return this.#standing
  }

  /** Documents that were read before may be gone. */
  noteGone(): void {
    this.#standing = Symbol('standing')
  }

  transact<T>(begin: Begin, work: () => T): T {
    this.#begin(begin)
    try {
      const result = work()
      this.#commit(begin)
      return result
    } catch (error) {
      throw this.#undone(error)
    }
  }

  #begin(begin: Begin): void {
    this.#assertOpen()
    try {
      this.run(begin)
      if (begin === 'BEGIN IMMEDIATE') this.#guard()
    } catch (error) {
      throw this.#undone(error)
    }
  }

  #commit(begin: Begin): void {
    if (begin === 'BEGIN IMMEDIATE') this.assertInPlace()
    this.run('COMMIT')
  }

  /** Rolls back, and returns what is to be thrown. */
  #undone(error: unknown): unknown {
    this.#ran.clear()
    this.noteGone()
    if (this.#sqlite.inTransaction) this.run('ROLLBACK')
    return storeFailure(error, this.path)
  }

  /** A transaction over many turns, of a connection that nobody else uses: whoever else would write waits, or is refused. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#begin('BEGIN IMMEDIATE')
    return await this.#goOn(work)
  }

  /** The rest of a transaction over many turns. */
  async #goOn<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#commit('BEGIN IMMEDIATE')
      return result
    } catch (error) {
      throw this.#undone(error)
    }
  }

  /** From now on a thread of its own does the checkpoints while much is delivered. The caller disposes of it before the connection. */
  copyLogBeside(): AsyncDisposable {
    return this.#checkpoints.copyBeside()
  }

  countSettled(deliveries: number): void {
    this.#checkpoints.countSettled(deliveries)
  }

  /**
   * Copies one state of the store into an empty file, page by page. `onStep` is called between two steps; what it throws ends
   * the copy. The state is held meanwhile: SQLite would begin again whenever another process commits, and never end.
   */
  async copyTo(file: string, onStep: () => void): Promise<void> {
    this.run('BEGIN')
    try {
      this.one(VERSION)
      const progress = (): number => {
        onStep()
        return PAGES_OF_A_STEP
      }
      await this.#sqlite.backup(file, { progress })
    } finally {
      this.run('ROLLBACK')
    }
  }

  [Symbol.dispose](): void {
    this.#isOpen = false
    this.#checkpoints[Symbol.dispose]()
    this.#sqlite.close()
  }
}
