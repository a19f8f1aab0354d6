import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { Query } from './query.ts'

/**
 * What the thread runs: for each message a checkpoint that waits for nobody and keeps nobody waiting. What is committed meanwhile
 * is copied as well until little of it comes in the time that takes. Plain JavaScript: stripping types would take a
 * thread more memory than everything else it does.
 */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlite)
  const copy = () => {
    const db = new Sqlite(workerData.path, { fileMustExist: true, timeout: 0 })
    try {
      for (let round = 0, before = 0; round < workerData.rounds; round += 1) {
        const [{ log, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)')
        if (log - before <= workerData.few) return
        before = checkpointed
      }
    } finally {
      db.close()
    }
  }
  parentPort.on('message', () => {
    copy()
    parentPort.postMessage(null)
  })`

const ROUNDS = 4

/** Frames of the log that are copied in some milliseconds. */
const FEW_PAGES = 128

/** The thread ends when nothing was to be copied for so long: it takes some megabytes. */
const KEPT_MS = 60_000

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }

/**
 * Copies what the write-ahead log holds to the store's file in a thread with a connection of its own, open only meanwhile: the
 * disk keeps a checkpoint waiting for far longer than it works. The thread starts when it is first needed. Where it fails, the
 * caller does it by itself from then on; whatever happens to it, what was committed stays in the log.
 */
class LogCopier implements AsyncDisposable {
  readonly #path: string
  readonly #onCopied: () => void
  #thread: Worker | null = null
  #state: 'resting' | 'copying' | 'failed' | 'closed' = 'resting'
  #ending: NodeJS.Timeout | null = null

  /** `onCopied`: called after each run that ended well. */
  constructor(path: string, onCopied: () => void) {
    this.#path = path
    this.#onCopied = onCopied
  }

  /** Starts a run, if none is under way. false: there is no such thread. */
  start(): boolean {
    if (this.#state === 'failed' || this.#state === 'closed') return false
    if (this.#state === 'copying') return true
    try {
      this.#thread ??= this.#open()
      this.#thread.postMessage(null, [])
      this.#state = 'copying'
      if (this.#ending !== null) clearTimeout(this.#ending)
      return true
    } catch {
      this.#state = 'failed'
      return false
    }
  }

  #open(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
    const workerData = { path: this.#path, sqlite, rounds: ROUNDS, few: FEW_PAGES }
    const thread = new Worker(PROGRAM, { eval: true, env: {}, execArgv: [], resourceLimits: LIMITS, workerData })
    thread.unref()
    thread.on('message', () => this.#copied())
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#ended(thread))
    return thread
  }

  #copied(): void {
    if (this.#state !== 'copying') return
    this.#state = 'resting'
    this.#ending = setTimeout(() => void this.#end(), KEPT_MS).unref()
    this.#onCopied()
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.terminate()
  }

  /** One that was not told to end has died. */
  #ended(thread: Worker): void {
    if (this.#thread !== thread || this.#state === 'closed') return
    this.#thread = null
    this.#state = 'failed'
  }

  /** When it is done, the thread has no connection any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'closed'
    if (this.#ending !== null) clearTimeout(this.#ending)
    await this.#end()
  }
}

/**
 * Pages of 4 kB in the log before a checkpoint: four times the default, so that what is written again and again goes to the file
 * seldom.
 */
const CHECKPOINT_PAGES = 4_000

/**
 * A checkpoint takes tens of milliseconds, unless a thread does it. It runs a moment after a commit, so that the events of that
 * commit do not wait for it.
 */
const CHECKPOINT_AFTER_MS = 25

/** Between two checkpoints: more than a quiet account has in hours. */
const MANY_DELIVERIES = 100

/** If the process never gets to it, a commit does the checkpoint itself. */
export const MOST_LOG_PAGES = 3 * CHECKPOINT_PAGES

const LOG = new Query<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
const CHECKPOINT = new Query('PRAGMA wal_checkpoint(PASSIVE)')

/** The connection whose log it is. */
interface LoggedConnection {
  readonly path: string
  readonly isIdle: boolean
  assertInPlace(): void
  one<Row>(query: Query<Row>): Row | undefined
}

/** When what is committed goes from the log to the store's file. Where a transaction is under way, its end comes first. */
export class Checkpoints implements Disposable {
  readonly #db: LoggedConnection
  #next: NodeJS.Timeout | null = null
  #copier: LogCopier | null = null
  /** Deliveries that were settled since the last checkpoint. */
  #settled = 0

  constructor(db: LoggedConnection) {
    this.#db = db
  }

  committed(): void {
    this.#next ??= setTimeout(() => this.#checkpoint(), CHECKPOINT_AFTER_MS).unref()
  }

  countSettled(deliveries: number): void {
    this.#settled += deliveries
  }

  /** What is delivered must not wait for checkpoints while it is much: otherwise a thread is not worth its memory. */
  copyBeside(): AsyncDisposable {
    this.#copier ??= new LogCopier(this.#db.path, () => this.#finish())
    return this.#copier
  }

  /** Whatever fails here is for the next commit to report. */
  #checkpoint(): void {
    this.#next = null
    try {
      if (!this.#db.isIdle || this.#pagesInLog() < CHECKPOINT_PAGES) return
      this.#db.assertInPlace()
      if (this.#settled >= MANY_DELIVERIES && this.#copier?.start() === true) return
      this.#settled = 0
      this.#db.one(CHECKPOINT)
    } catch {
      // Nothing is lost: what was committed stays in the log.
    }
  }

  /** The log begins anew only once all of it is in the file, and some was committed while the thread copied. */
  #finish(): void {
    this.#settled = 0
    try {
      if (this.#db.isIdle && this.#pagesInLog() <= FEW_PAGES) this.#db.one(CHECKPOINT)
    } catch {
      // As above.
    }
  }

  /** How many pages of the log are not in the file yet. */
  #pagesInLog(): number {
    const { checkpointed, log } = this.#db.one(LOG) ?? { checkpointed: 0, log: 0 }
    return log - checkpointed
  }

  [Symbol.dispose](): void {
    if (this.#next !== null) clearTimeout(this.#next)
  }
}
