import type { Clock } from '../../../clock.ts'

export interface AttemptLimitOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly shutdown: AbortSignal
}

/** The one deadline of an attempt (connect, send, whole answer), cut short by shutdown. Dispose of it when the attempt ends. */
export class AttemptLimit implements Disposable {
  readonly #shutdown: AbortSignal
  readonly #deadline: Disposable
  readonly #cut = (): void => this.#end()
  #reason: DOMException | null = null
  #listeners: ((reason: DOMException) => void)[] = []

  constructor({ clock, timeoutMs, shutdown }: AttemptLimitOptions) {
    this.#shutdown = shutdown
    shutdown.addEventListener('abort', this.#cut)
    this.#deadline = clock.after(timeoutMs, this.#cut)
    if (shutdown.aborted) this.#end()
  }

  /** For clients that want one: aborts once the limit is reached. */
  get signal(): AbortSignal {
    const controller = new AbortController()
    this.onCut((reason) => controller.abort(reason))
    return controller.signal
  }

  /** What ended the attempt, if anything has. */
  get reached(): 'shutdown' | 'deadline' | null {
    if (this.#reason === null) return null
    return this.#shutdown.aborted ? 'shutdown' : 'deadline'
  }

  /** Hears, with an `AbortError`, that the limit is reached: at once where it was already. */
  onCut(listener: (reason: DOMException) => void): void {
    if (this.#reason === null) this.#listeners.push(listener)
    else listener(this.#reason)
  }

  /** The promise, or a rejection once the limit is reached, whichever comes first. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const reached = Promise.withResolvers<never>()
    this.onCut(reached.reject)
    return await Promise.race([promise, reached.promise])
  }

  #end(): void {
    if (this.#reason !== null) return
    const reason = new DOMException('The limit of this attempt is reached', 'AbortError')
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener(reason)
  }

  [Symbol.dispose](): void {
    this.#shutdown.removeEventListener('abort', this.#cut)
    this.#deadline[Symbol.dispose]()
    this.#listeners = []
  }
}
