import type { Clock } from './clock.ts'

/** Wakes a waiting loop. A ring that nobody waits for is kept for the next wait. */
export class Bell {
  #rung = false
  #waiting: AbortController | null = null

  ring(): void {
    this.#rung = true
    this.#waiting?.abort('rung')
  }

  /** Resolves when the bell rings, after `ms`, or when `signal` aborts. One waiter at a time. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort('stopped')
    signal.addEventListener('abort', stop)
    this.#waiting = waiting
    if (!this.#rung && !signal.aborted) await clock.sleep(ms, waiting.signal)
    this.#waiting = null
    this.#rung = false
    signal.removeEventListener('abort', stop)
  }
}
