import PQueue from 'p-queue'

/** Work of which few pieces may be under way at once; the others wait, the one that came first goes first. */
export class FewAtOnce {
  readonly #queue: PQueue

  constructor(most: number) {
    this.#queue = new PQueue({ concurrency: most })
  }

  /** Does a piece of work in its turn. Rejects with the reason of `signal` where that aborts before. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#queue.add(work, { signal })
  }
}
