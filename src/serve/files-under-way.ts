import type { Clock } from '../clock.ts'
import type { DocumentFile } from '../model/document-content.ts'

/** What files that are being sent may take of memory together, beside the last one. */
const MOST_BYTES = 200_000_000
/** How long somebody may take to read a file. */
const PATIENCE_MS = 5 * 60_000

/** Files on their way to who asked for them. Whoever reads slowly keeps one in memory: together they are bounded, each in time. */
export class FilesUnderWay {
  readonly #clock: Pick<Clock, 'after'>
  #bytes = 0

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  get isFull(): boolean {
    return this.#bytes >= MOST_BYTES
  }

  /** The body of an answer; it breaks off where nobody reads it to its end. */
  streamOf({ bytes, chunks }: DocumentFile): ReadableStream<Uint8Array> {
    const rest = chunks.values()
    let over: (() => void) | null = null
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#bytes += bytes
        const limit = this.#clock.after(PATIENCE_MS, () => {
          over?.()
          controller.error(new Error('The file was not read in time.'))
        })
        over = () => {
          over = null
          this.#bytes -= bytes
          limit[Symbol.dispose]()
        }
      },
      pull: (controller) => {
        const { done, value } = rest.next()
        if (done !== true) return controller.enqueue(value)
        over?.()
        controller.close()
      },
      cancel: () => over?.(),
    })
  }
}
