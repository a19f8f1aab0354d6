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
export function codingsOf(contentEncoding: string): readonly string[] {
  const named = contentEncoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  return named.filter((each) => DECODED.has(each) || REAL.has(each))
}

/** Whether the body is at fault, not the wire. */
export function isDecoderError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
  )
}
