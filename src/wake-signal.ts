import type { Clock } from './clock.ts'

/** Wakes a waiting loop. A ring that nobody waits for is kept for the next wait. */
export class WakeSignal {
  #notified = false
  #waiting: AbortController | null = null

  notify(): void {
    this.#notified = true
    this.#waiting?.abort('rung')
  }

  /** Resolves when the signal is given, after `ms`, or when `signal` aborts. One waiter at a time. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort('stopped')
    signal.addEventListener('abort', stop)
    this.#waiting = waiting
    if (!this.#notified && !signal.aborted) await clock.sleep(ms, waiting.signal)
    this.#waiting = null
    this.#notified = false
    signal.removeEventListener('abort', stop)
  }
}
