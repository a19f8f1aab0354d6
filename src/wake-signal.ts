import type { Clock } from './clock.ts'

/** Wakes a waiting loop. A ring that nobody waits for is kept for the next wait. */
export class WakeSignal {
  #notified = false
  /** Ends the wait; null: nobody waits. */
  #end: (() => void) | null = null

  notify(): void {
    this.#notified = true
    this.#end?.()
  }

  /** Resolves when the signal is given, after `ms`, or when `signal` aborts. One waiter at a time. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#notified && !signal.aborted) {
      if (ms > 0) await this.#waiting(clock, ms, signal)
      else await clock.sleep(0)
    }
    this.#notified = false
  }

  /** By as few objects as there can be: each account has many loops, and most of them wait. */
  #waiting(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer[Symbol.dispose]()
        signal.removeEventListener('abort', end)
        this.#end = null
        resolve()
      }
      const timer = clock.after(ms, end)
      signal.addEventListener('abort', end)
      this.#end = end
    })
  }
}
