import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'

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
export const FEW_PAGES = 128

/** The thread ends when nothing was to be copied for so long: it takes some megabytes. */
const KEPT_MS = 60_000

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }

/**
 * Copies what the write-ahead log holds to the store's file in a thread with a connection of its own, open only meanwhile: the
 * disk keeps a checkpoint waiting for far longer than it works. The thread starts when it is first needed. Where it fails, the
 * caller does it by itself from then on; whatever happens to it, what was committed stays in the log.
 */
export class LogCopier implements AsyncDisposable {
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
