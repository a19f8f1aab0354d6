import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { StatusLine } from './resend.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The value of a header (name in lower case); the first one where there are several; empty where there is none. */
export function header(headers: Headers, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** How much of an answer's body is read. */
export interface Portion {
  readonly bytes: number
  /** `whole`: a body that is longer is a flaw. `beginning`: the rest is not read. */
  readonly of: 'whole' | 'beginning'
}

export interface ExchangeOptions {
  /** By the status. Bytes are counted as they are kept, so that no answer fills the memory, however well it is compressed. */
  readonly portion: (status: number) => Portion
  /** Whether a content coding is undone; otherwise the bytes are kept as they came. */
  readonly decode: boolean
  /** The status counts as soon as its line has come, whatever becomes of the headers behind it. Left out: once they have come. */
  readonly statusDecides?: boolean | undefined
  /** Asked in the turn in which the request is written, whenever it waited for a connection before: `false` ends it. Left out: it is. */
  readonly mayWrite?: (() => boolean) | undefined
}

/** What came over the wire, whole or not. */
export type Received = ReceivedAnswer | NoAnswer

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly chunks: readonly Buffer[]
  /** The bytes of the body's parts. */
  readonly bytes: number
  /** Why the answer is not what was wanted; null where it is. */
  readonly flaw: Error | null
}

/** An exchange in which not even a status came. */
interface NoAnswer {
  readonly status: null
  readonly flaw: Error
}

/** A body that is of no use, though the network is not at fault. */
class UnusableBody extends Error {
  override readonly name = 'UnusableBody'
  readonly code: 'OVERSIZED' | 'UNDECODABLE'

  /** `reason`: what there was too much of, or what it was said to be encoded as. */
  constructor(code: UnusableBody['code'], reason: string) {
    super(reason)
    this.code = code
  }
}

/** Interim answers cost no memory, but a server that sends nothing else would keep the process busy until the deadline. */
const MOST_INTERIM_ANSWERS = 100
/** The most bytes of all interim answers. */
const MOST_INTERIM_BYTES = 256 * 1024

/** One request as undici reports it, without a stream in between. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  /** Never rejects. */
  readonly received: Promise<Received>
  readonly #options: ExchangeOptions
  readonly #settle: (received: Received) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #decoder: Transform | null = null
  #statusLine: StatusLine | null = null
  #head: { readonly status: number; readonly headers: Headers; readonly portion: Portion } | null = null
  #bytes = 0
  #interim = 0
  #interimBytes = 0
  #isOver = false

  constructor(options: ExchangeOptions) {
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<Received>()
    this.received = promise
    this.#settle = resolve
  }

  /** Ends it at once. If it still waits for a connection, undici does not know of the end: it is aborted as soon as it starts. */
  cut(error: Error): void {
    this.#end(error)
  }

  onStatusLine(line: StatusLine): void {
    if (this.#options.statusDecides === true) this.#statusLine = line
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#options.mayWrite?.() === false) this.cut(new Error('The request may not be sent any more.'))
    else if (this.#isOver) controller.abort(new Error('The exchange is over.'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (this.#isOver) return
    if (status < 200) {
      this.#countInterim(headers)
      return
    }
    this.#head = { status, headers, portion: this.#options.portion(status) }
    const contentEncoding = header(headers, 'content-encoding')
    const [encoding, ...more] = this.#options.decode ? codingsOf(contentEncoding) : []
    if (encoding === undefined) return
    const undecodable = new UnusableBody('UNDECODABLE', contentEncoding)
    this.#decoder = more.length > 0 ? null : decoderOf(encoding)
    if (this.#decoder === null) this.#end(undecodable)
    else this.#listenTo(this.#decoder, undecodable)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#decoder === null) this.#take(chunk)
    else if (!this.#decoder.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    // Nothing is left to be aborted.
    this.#controller = null
    if (this.#decoder === null) this.#end(null)
    else this.#decoder.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.cut(error)
  }

  #countInterim(headers: Headers): void {
    this.#interim += 1
    for (const [name, value] of Object.entries(headers)) this.#interimBytes += name.length + String(value ?? '').length
    if (this.#interim > MOST_INTERIM_ANSWERS)
      this.cut(new Error(`more than ${MOST_INTERIM_ANSWERS} interim answers (1xx) came and no final one`))
    else if (this.#interimBytes > MOST_INTERIM_BYTES)
      this.cut(new Error(`more than ${MOST_INTERIM_BYTES} bytes of interim answers (1xx) came and no final one`))
  }

  #listenTo(decoder: Transform, undecodable: Error): void {
    decoder.on('data', (chunk: Buffer) => this.#take(chunk))
    decoder.on('drain', () => this.#controller?.resume())
    decoder.on('end', () => this.#end(null))
    decoder.on('error', (error) => this.#end(isDecoderError(error) ? undecodable : error))
  }

  #take(chunk: Buffer): void {
    if (this.#isOver || this.#head === null) return
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    const { bytes, of } = this.#head.portion
    if (of === 'beginning' && this.#bytes >= bytes) this.#end(null)
    else if (this.#bytes > bytes) this.#end(new UnusableBody('OVERSIZED', `${bytes} bytes`))
  }

  #received(flaw: Error | null): Received {
    const { status, headers } = this.#head ?? { status: this.#statusLine?.status ?? null, headers: {} }
    if (status === null) return { status, flaw: flaw ?? new Error('No answer began.') }
    return { status, headers, chunks: this.#chunks, bytes: this.#bytes, flaw }
  }

  #end(flaw: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#decoder?.destroy()
    this.#settle(this.#received(flaw))
    this.#controller?.abort(new Error('The rest of the answer is of no use.'))
  }
}

/** The codings that are asked for. `decoderOf` knows others too, because a proxy may send them unasked. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/**
 * null: no content coding that is known. (undici's own interceptor passes such a body on as if it were plain, and warns on
 * standard error that it is experimental.)
 */
function decoderOf(encoding: string): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      return null
  }
}

/** Codings that are registered, or known in the wild, and that nothing here undoes. */
const REAL = new Set(
  'aes128gcm bzip2 compress dcb dcz exi lz4 lzma pack200-gzip snappy x-bzip2 x-compress x-lzma x-snappy-framed xz zstd'.split(
    ' ',
  ),
)
const DECODED = new Set(['gzip', 'x-gzip', 'br', 'deflate'])

/**
 * The codings of a body, first applied first. What is no coding encodes nothing: charsets and words such as `none` and
 * `aws-chunked` come as `Content-Encoding` too.
 */
function codingsOf(contentEncoding: string): readonly string[] {
  const named = contentEncoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  return named.filter((each) => DECODED.has(each) || REAL.has(each))
}

/** Whether the body is at fault, not the wire. */
function isDecoderError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
  )
}
