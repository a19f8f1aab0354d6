import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Asked for; the others that `decoderOf` knows are understood where a proxy sends them unasked. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

export interface Body {
  /** As far as it came, content decoding undone. */
  readonly chunks: readonly Buffer[]
  /** Decoded bytes read. */
  readonly bytes: number
  /** Why this is not the whole body; null where it is. */
  readonly flaw: Flaw | null
}

export type Flaw =
  | { readonly kind: 'oversized' }
  | { readonly kind: 'undecodable'; readonly encoding: string }
  | { readonly kind: 'cut'; readonly error: unknown }

/** Reads at most `cap` decoded bytes, so that neither a huge nor a highly compressed answer fills the memory. Never rejects. */
export async function readBody(raw: Readable, encoding: string, cap: number): Promise<Body> {
  // Destroying a stream half-way makes it emit an error after the loop below has gone.
  raw.on('error', () => {})
  const stream = decode(raw, encoding.trim().toLowerCase())
  if (stream === null) {
    raw.destroy()
    return { chunks: [], bytes: 0, flaw: { kind: 'undecodable', encoding } }
  }
  const chunks: Buffer[] = []
  let bytes = 0
  let flaw: Flaw | null = null
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > cap) {
        flaw = { kind: 'oversized' }
        break
      }
    }
  } catch (error) {
    flaw = isDecoderError(error) ? { kind: 'undecodable', encoding } : { kind: 'cut', error }
  }
  return { chunks, bytes, flaw }
}

function decode(raw: Readable, encoding: string): Readable | null {
  if (encoding === '' || encoding === 'identity') return raw
  const decoder = decoderOf(encoding)
  // Its errors surface where the decoder is read.
  return decoder === null ? null : pipeline(raw, decoder, () => {})
}

function decoderOf(encoding: string) {
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

function isDecoderError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
  )
}
