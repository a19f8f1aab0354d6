import type { Clock } from '../../../clock.ts'

export interface AttemptLimitOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly shutdown: AbortSignal
}

/** The one deadline of an attempt (connect, send, whole answer), cut short by shutdown. Dispose of it when the attempt ends. */
export class AttemptLimit implements Disposable {
  readonly #cut = new AbortController()
  readonly #over = new AbortController()
  readonly #shutdown: AbortSignal
  readonly #onShutdown = (): void => this.#cut.abort()

  constructor({ clock, timeoutMs, shutdown }: AttemptLimitOptions) {
    this.#shutdown = shutdown
    if (shutdown.aborted) this.#cut.abort()
    shutdown.addEventListener('abort', this.#onShutdown)
    void this.#expire(clock, timeoutMs)
  }

  get signal(): AbortSignal {
    return this.#cut.signal
  }

  /** What ended the attempt, if anything has. */
  get reached(): 'shutdown' | 'deadline' | null {
    if (!this.#cut.signal.aborted) return null
    return this.#shutdown.aborted ? 'shutdown' : 'deadline'
  }

  /**
   * The promise, or a rejection once the limit is reached, whichever comes first: undici does not look at its signal while
   * a request still waits for a connection.
   */
  async race<T>(promise: Promise<T>): Promise<T> {
    const reached = Promise.withResolvers<never>()
    const onCut = (): void => reached.reject(this.#cut.signal.reason)
    if (this.#cut.signal.aborted) onCut()
    this.#cut.signal.addEventListener('abort', onCut, { once: true })
    return await Promise.race([promise, reached.promise])
  }

  async #expire(clock: Clock, timeoutMs: number): Promise<void> {
    await clock.sleep(timeoutMs, this.#over.signal)
    if (!this.#over.signal.aborted) this.#cut.abort()
  }

  [Symbol.dispose](): void {
    this.#shutdown.removeEventListener('abort', this.#onShutdown)
    this.#over.abort('over')
  }
}
