import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './store-file.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 50

/**
 * What is to be done while another program has the file locked: it is tried in steps, and between two of them everything else goes on.
 * Once one has waited in vain, nobody waits any more until something was done: a lock of minutes is told soon, and holds up no end.
 */
export class BusyWait {
  readonly #patienceMs: number
  readonly #onFree: () => void
  #isLocked = false
  /** What is done in line, behind what waits. null: nothing does. */
  #line: Promise<void> | null = null
  /** What lets nothing else be done until its end; null: nothing is held. */
  #held: Promise<void> | null = null

  constructor(patienceMs: number, onFree: () => void = () => undefined) {
    this.#patienceMs = patienceMs
    this.#onFree = onFree
  }

  whenever<T>(work: () => T): T | Promise<T> {
    if (this.#held !== null) return this.#held.then(() => this.whenever(work))
    const done = this.#try(work, this.#isLocked)
    return done === null ? this.#tryOn(work) : done.result
  }

  /** Does work of many turns at once: what is to be done whenever waits for its end. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const holding = work()
    const free = (): void => void (this.#held = null)
    this.#held = holding.then(free, free)
    return await holding
  }

  /** Does work in the order in which it is asked for; of work of many turns the next waits for the end. */
  async inLine<T>(work: () => T | Promise<T>): Promise<T> {
    const begun = this.#line === null ? this.#try<T | Promise<T>>(work) : null
    if (begun !== null && !(begun.result instanceof Promise)) return begun.result
    const inFront = this.#line ?? Promise.resolve()
    const waiting = inFront.then(async () => await (begun === null ? this.#tryOn(work) : begun.result))
    const leave = (): void => {
      if (this.#line === line) this.#line = null
    }
    const line: Promise<void> = waiting.then(leave, leave)
    this.#line = line
    return await waiting
  }

  async #tryOn<T>(work: () => T): Promise<T> {
    for (let [waitedMs, pauseMs] = [0, FIRST_PAUSE_MS]; ;) {
      const isLast = this.#isLocked || waitedMs >= this.#patienceMs
      const done = this.#try(work, isLast)
      if (done !== null) return done.result
      await sleep(pauseMs)
      waitedMs += pauseMs
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
  }

  /** What came of the work; null: another program has the lock. */
  #try<T>(work: () => T, isLast = false): { readonly result: T } | null {
    try {
      const result = work()
      if (this.#isLocked) this.#onFree()
      this.#isLocked = false
      return { result }
    } catch (error) {
      if (!isBusy(error)) throw error
      if (!isLast) return null
      this.#isLocked = true
      throw error
    }
  }
}
