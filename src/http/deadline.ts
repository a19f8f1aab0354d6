import type { Clock } from '../clock.ts'

export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly timeoutMs: number
  /** Ends it earlier: a caller, or a shutdown. */
  readonly signal?: AbortSignal | undefined
}

/** What a signal cuts. To add a listener to a signal costs more than the rest of a deadline, so those that it cuts share one. */
class CutBySignal {
  static readonly #known = new WeakMap<AbortSignal, CutBySignal>()
  readonly #signal: AbortSignal
  readonly #cuts = new Set<() => void>()
  readonly #cutAll = (): void => {
    for (const cut of this.#cuts) cut()
  }

  private constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  static of(signal: AbortSignal): CutBySignal {
    const known = CutBySignal.#known.get(signal) ?? new CutBySignal(signal)
    CutBySignal.#known.set(signal, known)
    return known
  }

  add(cut: () => void): void {
    if (this.#cuts.size === 0) this.#signal.addEventListener('abort', this.#cutAll)
    this.#cuts.add(cut)
  }

  delete(cut: () => void): void {
    if (this.#cuts.delete(cut) && this.#cuts.size === 0) this.#signal.removeEventListener('abort', this.#cutAll)
  }
}

/**
 * One limit for a whole exchange (connect, send, whole answer), cut short by a signal: undici's own time-outs are coarse, and a
 * dripping body never trips them. Dispose of it when the exchange ends.
 */
export class Deadline implements Disposable {
  readonly #signal: AbortSignal | undefined
  readonly #cuts: CutBySignal | null
  readonly #timer: Disposable
  readonly #cut = (): void => this.#end()
  #reason: DOMException | null = null
  #listeners: ((reason: DOMException) => void)[] = []

  constructor({ clock, timeoutMs, signal }: DeadlineOptions) {
    this.#signal = signal
    this.#cuts = signal === undefined ? null : CutBySignal.of(signal)
    this.#cuts?.add(this.#cut)
    this.#timer = clock.after(timeoutMs, this.#cut)
    if (signal?.aborted === true) this.#end()
  }

  /** For clients that want one: aborts once the limit is reached. */
  get signal(): AbortSignal {
    const controller = new AbortController()
    this.onCut((reason) => controller.abort(reason))
    return controller.signal
  }

  /** What ended the exchange, if anything has. */
  get reached(): 'abort' | 'timeout' | null {
    if (this.#reason === null) return null
    return this.#signal?.aborted === true ? 'abort' : 'timeout'
  }

  /** Calls back with an `AbortError` once the limit is reached; at once if it was reached already. */
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
    const reason = new DOMException('The limit of this exchange is reached', 'AbortError')
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener(reason)
  }

  [Symbol.dispose](): void {
    this.#cuts?.delete(this.#cut)
    this.#timer[Symbol.dispose]()
    this.#listeners = []
  }
}
