import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'

type Dispatch = (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => void

/** Who hears of the status line of its answer, beside what undici reports. */
interface Reader {
  readonly onStatusLine?: (line: StatusLine) => void
}

/** Where requests of one client go. */
export interface Way {
  /** The connection there is; null: none. */
  readonly socket: () => Socket | null
  /** Whether anything may still be sent. */
  readonly isOpen: () => boolean
  /** On a fresh connection, at once. */
  readonly sendAgain: Dispatch
  /** Like a new request. */
  readonly startOver: Dispatch
}

type Handler = Required<Dispatcher.DispatchHandler>

interface Sent {
  readonly controller: Dispatcher.DispatchController
  readonly socket: Socket
  /** What had been read there before. */
  readonly bytesBefore: number
}

/**
 * Passes on what undici reports of a request, unless the request was lost with a connection that had answered before. Then the
 * same request is dispatched again while undici still reports the loss: its client connects anew, and the number of connections
 * stays as it was.
 */
export class ResentRequest implements Dispatcher.DispatchHandler {
  readonly #request: Dispatcher.DispatchOptions
  readonly #handler: Dispatcher.DispatchHandler & Reader
  readonly #way: Way
  readonly #isSecond: boolean
  #sent: Sent | null = null

  /** `isSecond`: it was sent before, or may be sent only once, and is not sent once more. */
  constructor(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler & Reader,
    { way, isSecond }: { readonly way: Way; readonly isSecond: boolean },
  ) {
    this.#request = request
    this.#handler = handler
    this.#way = way
    this.#isSecond = isSecond
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const socket = this.#way.socket()
    if (socket !== null) {
      this.#sent = { controller, socket, bytesBefore: socket.bytesRead }
      const line = nextStatusLine(socket)
      if (line !== null) this.#handler.onStatusLine?.(line)
    }
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(...args: Parameters<Handler['onResponseStart']>): void {
    this.#handler.onResponseStart?.(...args)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(...args: Parameters<Handler['onResponseEnd']>): void {
    this.#handler.onResponseEnd?.(...args)
  }

  onResponseError(...args: Parameters<Handler['onResponseError']>): void {
    if (this.#isSecond) this.#handler.onResponseError?.(...args)
    else if (this.#wasLost()) this.#way.sendAgain(this.#request, this.#handler)
    // undici may be about to give its client another request: the place is chosen after that.
    else if (this.#wasNeverSent()) queueMicrotask(() => this.#way.startOver(this.#request, this.#handler))
    else this.#handler.onResponseError?.(...args)
  }

  #wasLost(): boolean {
    if (this.#sent === null || !this.#way.isOpen()) return false
    const { controller, socket, bytesBefore } = this.#sent
    const hasDied = socket.destroyed && !controller.aborted
    return hasDied && bytesBefore > 0 && socket.bytesRead === bytesBefore
  }

  /** The connection failed after the request had been given to it and before it was written. */
  #wasNeverSent(): boolean {
    if (this.#sent !== null || !this.#way.isOpen()) return false
    const socket = this.#way.socket()
    return socket !== null && socket.errored !== null && socket.bytesRead > 0
  }
}

const CR = 0x0d
const LF = 0x0a
/** Longer lines are no status lines. */
const MOST_LINE = 1_024
const STATUS_LINE = /^HTTP\/1\.\d (\d{3})(?: |$)/
const CONTINUES = /^HTTP\/1\.\d 10$/
const [ZERO, TWO] = [0x30, 0x32]

/**
 * Reads the status line of an answer as its bytes come in, beside whoever parses it: what a parser refuses behind that line (headers
 * that are too large, two lengths, a length beside chunks) does not take back what the server said.
 *
 * undici ends a connection on which `100 Continue` comes unasked, although any client has to pass over it (RFC 9110, 15.2). It
 * passes over the other interim answers, so a 100 is made a 102 before undici has it.
 */
export class StatusLine {
  /** The status of the final answer, as soon as the whole line has come; null: it has not, or what came is no HTTP/1. */
  status: number | null = null
  #line = ''
  /** Whether the status line of an interim answer has passed, whose headers end with an empty line. */
  #isInterim = false
  #isOver = false

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.#isOver; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === ZERO && !this.#isInterim && CONTINUES.test(this.#line)) bytes[at] = TWO
      if (byte === LF) this.#endLine()
      else if (byte !== CR) this.#line += String.fromCharCode(byte)
      if (this.#line.length > MOST_LINE) this.#isOver = !this.#isInterim || this.#cutLine()
    }
  }

  #endLine(): void {
    const line = this.#line
    this.#line = ''
    if (this.#isInterim) {
      if (line === '') this.#isInterim = false
      return
    }
    const status = Number(STATUS_LINE.exec(line)?.[1] ?? 0)
    // 101 answers what was not asked for: nothing behind it is an answer to this request.
    if (status >= 100 && status < 200 && status !== 101) this.#isInterim = true
    else this.#isOver = true
    if (status >= 200) this.status = status
  }

  /** Forgets what a header says: only that its line is not empty counts. */
  #cutLine(): boolean {
    this.#line = '-'
    return false
  }
}

/** What reads along on a connection: each request begins anew. */
const READING = new WeakMap<Socket, { line: StatusLine | null }>()

/** From now on status lines can be read on this connection. Everything that Node reads for it goes through `push`. */
export function readAlong(socket: Socket): void {
  const reading: { line: StatusLine | null } = { line: null }
  READING.set(socket, reading)
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (reading.line !== null && chunk instanceof Uint8Array) reading.line.take(chunk)
    return push(chunk, encoding)
  }
}

/** The status line of the answer to the request that is written now; null: nobody reads along. */
function nextStatusLine(socket: Socket): StatusLine | null {
  const reading = READING.get(socket)
  if (reading === undefined) return null
  reading.line = new StatusLine()
  return reading.line
}
