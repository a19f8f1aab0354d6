import type { Socket } from 'node:net'

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
export function nextStatusLine(socket: Socket): StatusLine | null {
  const reading = READING.get(socket)
  if (reading === undefined) return null
  reading.line = new StatusLine()
  return reading.line
}
