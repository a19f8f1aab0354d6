import { FEW_PAGES, LogCopier } from './log-copier.ts'
import { Query } from './query.ts'

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
export interface LoggedConnection {
  readonly path: string
  readonly isOpen: boolean
  assertInPlace(): void
  one<Row>(query: Query<Row>): Row | undefined
}

/** When what is committed goes from the log to the store's file. No transaction lasts beyond its turn, so none is under way. */
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
      if (this.#pagesInLog() < CHECKPOINT_PAGES) return
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
      if (this.#db.isOpen && this.#pagesInLog() <= FEW_PAGES) this.#db.one(CHECKPOINT)
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
