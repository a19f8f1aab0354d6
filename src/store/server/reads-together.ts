import { DatabaseError } from 'pg'
import { allEnded, type ConnectionTransaction } from './connection-transaction.ts'
import { ConnectionLost } from './connection.ts'
import { databaseFailure, isAway } from './database-failure.ts'

/** What looks ask: a transaction, or a connection for statements that are none together. */
export type Source = ConnectionTransaction

/** `work` may be called again, but not once it has answered. */
type Work<T> = (source: Source) => Promise<T>

/** How reads get at a database. */
interface Ways {
  /** For people: where the database is. */
  readonly place: string
  /** One transaction, which sees one state of the store. */
  readonly whole: (work: Work<void>) => Promise<void>
  /** One connection, over which each statement sees a state of its own. */
  readonly single: (work: Work<void>) => Promise<void>
}

/** Statements after one that failed in a transaction: they say nothing of why. */
const ABORTED = '25P02'

/** A read that waits for its answer. */
class Read {
  readonly isWhole: boolean
  readonly #work: (source: Source) => Promise<() => void>
  readonly #reject: (error: unknown) => void
  #isAnswered = false

  constructor(isWhole: boolean, work: (source: Source) => Promise<() => void>, reject: (error: unknown) => void) {
    this.isWhole = isWhole
    this.#work = work
    this.#reject = reject
  }

  /** Throws what the database said: whoever shares the transaction has no answer from it either. */
  async answer(source: Source, place: string): Promise<void> {
    if (this.#isAnswered) return
    try {
      const tell = await this.#work(source)
      this.#isAnswered = true
      tell()
    } catch (error) {
      if (error instanceof DatabaseError || error instanceof ConnectionLost) throw error
      this.fail(databaseFailure(error, place))
    }
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  fail(error: unknown): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#reject(error)
  }
}

/**
 * Reads that are asked for at once, as the parts of a page are, go over one connection, by one transaction where any of them needs one:
 * its begin and end are shared, and the next statements of all of them go out together. What one of them asks in vain is asked again by each
 * alone.
 */
export class ReadsTogether {
  readonly #ways: Ways
  #asked: Read[] = []

  constructor(ways: Ways) {
    this.#ways = ways
  }

  /** `isWhole`: it sees one state of the store; otherwise it is one statement. */
  async ask<T>(work: Work<T>, { isWhole }: { readonly isWhole: boolean }): Promise<T> {
    const { promise, reject, resolve } = Promise.withResolvers<T>()
    const told = async (source: Source): Promise<() => void> => {
      const value = await work(source)
      return () => resolve(value)
    }
    // What is answered before then asks together with this one.
    if (this.#asked.length === 0) setImmediate(() => void this.#answerAsked())
    this.#asked.push(new Read(isWhole, told, reject))
    return await promise
  }

  async #answerAsked(): Promise<void> {
    const reads = this.#asked
    this.#asked = []
    try {
      await this.#answer(reads)
    } catch (error) {
      const open = reads.filter(({ isAnswered }) => !isAnswered)
      if (reads.length === 1 || isAway(error)) for (const read of open) read.fail(error)
      else await Promise.all(open.map(async (read) => await this.#answerAlone(read)))
    }
  }

  async #answer(reads: readonly Read[]): Promise<void> {
    const { place, single, whole } = this.#ways
    const way = reads.some(({ isWhole }) => isWhole) ? whole : single
    await way(async (source) => {
      const failures: unknown[] = []
      const answers = reads.map(async (read) => {
        await read.answer(source, place).catch((error: unknown) => failures.push(error))
      })
      await allEnded(answers)
      if (failures.length > 0) throw failures.find((error) => !isAborted(error)) ?? failures[0]
    })
  }

  async #answerAlone(read: Read): Promise<void> {
    await this.#answer([read]).catch((error: unknown) => read.fail(error))
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === ABORTED
}
