import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The codings that are asked for. `decoderOf` knows others too, because a proxy may send them unasked. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/**
 * null: no content coding that is known. (undici's own interceptor passes such a body on as if it were plain, and warns on
 * standard error that it is experimental.)
 */
export function decoderOf(encoding: string): Transform | null {
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

/** Whether the body is at fault, not the wire. */
export function isDecoderError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
  )
}
