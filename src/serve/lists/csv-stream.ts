import type { Clock } from '../../clock.ts'

/** A part of a table, and where the next one begins; null: this is the last. */
export interface CsvSlice {
  readonly text: string
  readonly next: string | null
}

/** How long somebody may take to read a slice. */
const PATIENCE_MS = 60_000

export interface CsvParts {
  readonly clock: Pick<Clock, 'after'>
  /** Aborts where the service ends, or whoever asked has left. */
  readonly signal: AbortSignal
  readonly first: CsvSlice
  readonly sliceAt: (cursor: string) => Promise<CsvSlice>
  /** Called once, however it ends. */
  readonly over: () => void
}

/**
 * A table as it is read: the next slice is asked for once the one before is taken, so that one at most is in memory. It breaks off where
 * nobody reads on; a table that broke off does not end as a whole one does.
 */
export function csvStream(parts: CsvParts): ReadableStream<Uint8Array> {
  const reading = new CsvReading(parts)
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => reading.start(controller),
      pull: async (controller) => reading.pull(controller),
      cancel: () => reading.end(),
    },
    { highWaterMark: 0 },
  )
}

type Controller = ReadableStreamDefaultController<Uint8Array>

class CsvReading {
  readonly #parts: CsvParts
  /** What is sent next: a slice, or where it begins; null: nothing. */
  #next: CsvSlice | string | null
  #waiting: Disposable | null = null
  #stop: (() => void) | null = null

  constructor(parts: CsvParts) {
    this.#parts = parts
    this.#next = parts.first
  }

  start(controller: Controller): void {
    const stop = (): void => {
      this.end()
      controller.error(new Error('The table was not read to its end.'))
    }
    this.#stop = stop
    this.#parts.signal.addEventListener('abort', stop, { once: true })
  }

  async pull(controller: Controller): Promise<void> {
    this.#waiting?.[Symbol.dispose]()
    // Slices of a list in which few match may have no rows.
    for (let isSent = false; !isSent && this.#next !== null;) {
      const slice = typeof this.#next === 'string' ? await this.#parts.sliceAt(this.#next) : this.#next
      if (this.#next === null) return
      this.#next = slice.next
      isSent = slice.text !== ''
      if (isSent) controller.enqueue(Buffer.from(slice.text))
    }
    if (this.#next === null) {
      this.end()
      controller.close()
    } else if (this.#stop !== null) this.#waiting = this.#parts.clock.after(PATIENCE_MS, this.#stop)
  }

  end(): void {
    if (this.#stop === null) return
    this.#parts.signal.removeEventListener('abort', this.#stop)
    this.#waiting?.[Symbol.dispose]()
    this.#stop = null
    this.#next = null
    this.#parts.over()
  }
}
