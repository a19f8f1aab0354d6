import { PassThrough, type Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { parsed } from '../api/request-body.ts'
import { mcpServer } from './mcp-server.ts'
import type { ToolDesk } from './tool-desk.ts'

export interface StdioPipes {
  readonly stdin: Readable
  readonly write: (bytes: Uint8Array) => void
  /** Aborts when the process is to end. */
  readonly signal: AbortSignal
}

/** How long what was asked for before the end of the input may still take. */
const PATIENCE_MS = 10_000

/** Speaks the protocol on standard input and output until the input ends: what was asked for by then is answered first. */
export async function serveOnStdio(desk: ToolDesk, { signal, stdin, write }: StdioPipes): Promise<void> {
  const unanswered = new Unanswered()
  const input = new PassThrough()
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk)
      unanswered.said(chunk)
      done()
    },
  })
  const handle = serveStdio(() => mcpServer(desk), { transport: new StdioServerTransport(input, output) })
  const ended = Promise.withResolvers<void>()
  const hear = (chunk: Buffer): void => {
    unanswered.heard(chunk)
    input.write(chunk)
  }
  stdin.on('data', hear)
  stdin.once('end', () => {
    // What stands behind the last line break is a message, too.
    hear(Buffer.from('\n'))
    ended.resolve()
  })
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  await ended.promise
  const done = new AbortController()
  const late = desk.clock.sleep(PATIENCE_MS, AbortSignal.any([signal, done.signal]))
  if (!signal.aborted) await Promise.race([unanswered.none(), late])
  done.abort()
  stdin.pause()
  await handle.close()
}

/** The requests that wait for their answers. */
class Unanswered {
  readonly #ids = new Set<string>()
  readonly #decoder = new StringDecoder('utf8')
  readonly #none = Promise.withResolvers<void>()
  #begun = ''
  #isAwaited = false

  /** Takes what was read: messages are lines, which may come in pieces. */
  heard(chunk: Buffer): void {
    const lines = (this.#begun + this.#decoder.write(chunk)).split('\n')
    this.#begun = lines.pop() ?? ''
    for (const line of lines) {
      const id = idOf(line, 'request')
      if (id !== null) this.#ids.add(id)
    }
  }

  /** Takes a message that was written. */
  said(chunk: Buffer): void {
    const id = idOf(chunk.toString(), 'answer')
    if (id !== null) this.#ids.delete(id)
    this.#settle()
  }

  /** Resolves once every request has its answer. */
  async none(): Promise<void> {
    this.#isAwaited = true
    this.#settle()
    await this.#none.promise
  }

  #settle(): void {
    if (this.#isAwaited && this.#ids.size === 0) this.#none.resolve()
  }
}

/** The id of a request that wants an answer, or of an answer; null: the line is none. */
function idOf(line: string, what: 'request' | 'answer'): string | null {
  const message = parsed(line)
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  return 'method' in message === (what === 'request') ? JSON.stringify(message.id) : null
}
