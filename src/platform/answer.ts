import type { Headers } from '../http/exchange.ts'
import type { Exchange } from '../model/exchange.ts'

/** A whole answer, not yet judged. */
export interface PlatformAnswer {
  readonly kind: 'answer'
  readonly exchange: Exchange
  readonly status: number
  readonly headers: Headers
  /** The body as far as it was read, content decoding undone. */
  readonly chunks: readonly Buffer[]
  /** The body decoded by its charset, anew each time it is asked for. */
  readonly text: string
  /** The first kilobytes of the body, decoded by its charset. */
  readonly beginning: string
}

/**
 * Frees the memory of an answer's bytes at once: nobody looks at them any more. The garbage collector would free them so late
 * that each answer is read into memory that no cache holds. Not freed here are chunks that may lie in the pool from which Node
 * cuts small buffers; they are always less than half of it.
 */
export function freeBytes(chunks: readonly Buffer[]): void {
  for (const { buffer, length } of chunks) {
    const isOwn = length === buffer.byteLength || length >= Buffer.poolSize >>> 1
    // Several chunks may lie in what was read from the socket at once.
    if (isOwn && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}
