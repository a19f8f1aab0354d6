import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { header, type Headers } from './answer.ts'
import { decoderOf, isDecoderError } from './decoder-of.ts'

/** What came over the wire, whole or not. */
export interface Transferred {
  /** null: not even a status came. */
  readonly status: number | null
  readonly headers: Headers
  /** The body as far as it came, content decoding undone. */
  readonly chunks: readonly Buffer[]
  /** Of them. */
  readonly bytes: number
  /** Why it is not whole; null where it is. */
  readonly flaw: Flaw | null
}

export type Flaw =
  | { readonly kind: 'oversized' }
  | { readonly kind: 'undecodable'; readonly encoding: string }
  | { readonly kind: 'cut'; readonly error: unknown }

/**
 * Takes one answer from undici without a stream in between. Reads at most so many decoded bytes, so that neither a huge nor a
 * highly compressed answer fills the memory.
 */
export class Transfer implements Dispatcher.DispatchHandler {
  /** Never rejects. */
  readonly done: Promise<Transferred>
  readonly #capOf: (status: number) => number
  readonly #settle: (transferred: Transferred) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #decoder: Transform | null = null
  #status: number | null = null
  #headers: Headers = {}
  #cap = 0
  #bytes = 0
  #isOver = false

  /** `capOf`: the most bytes that are read of an answer with a status. */
  constructor(capOf: (status: number) => number) {
    this.#capOf = capOf
    const { promise, resolve } = Promise.withResolvers<Transferred>()
    this.done = promise
    this.#settle = resolve
  }

  /** Ends it at once, also while it waits for a socket, of which undici would not hear. */
  cut(error: Error): void {
    this.#end({ kind: 'cut', error })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('The exchange is over.'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.#isOver) return
    this.#status = status
    this.#headers = headers
    this.#cap = this.#capOf(status)
    const encoding = header(headers, 'content-encoding').trim().toLowerCase()
    if (encoding === '' || encoding === 'identity') return
    this.#decoder = decoderOf(encoding)
    if (this.#decoder === null) this.#end(this.#undecodable())
    else this.#listenTo(this.#decoder)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#decoder === null) this.#take(chunk)
    else if (!this.#decoder.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#decoder === null) this.#end(null)
    else this.#decoder.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ kind: 'cut', error })
  }

  #listenTo(decoder: Transform): void {
    decoder.on('data', (chunk: Buffer) => this.#take(chunk))
    decoder.on('drain', () => this.#controller?.resume())
    decoder.on('end', () => this.#end(null))
    decoder.on('error', (error) => this.#end(isDecoderError(error) ? this.#undecodable() : { kind: 'cut', error }))
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    if (this.#bytes > this.#cap) this.#end({ kind: 'oversized' })
  }

  #undecodable(): Flaw {
    return { kind: 'undecodable', encoding: header(this.#headers, 'content-encoding') }
  }

  #end(flaw: Flaw | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#decoder?.destroy()
    if (flaw !== null) this.#controller?.abort(new Error('The rest of the answer is of no use.'))
    this.#settle({ status: this.#status, headers: this.#headers, chunks: this.#chunks, bytes: this.#bytes, flaw })
  }
}
