import { BODY_DICTIONARY_1 } from './body-dictionary.ts'
import { ZlibEngine } from './zlib-engine.ts'

/**
 * A document as `bodies` holds it: `codec` says how `content` is to be read. A released codec is never changed (a test checks
 * it); a better one is a new number, and what is stored stays as it is. Records are small and alike, so a dictionary does more than
 * any level: 2.8 kB become 0.6, without it 1.2. Deflate does better than zstd here and is read in 5 µs.
 * Compressing costs 18 µs.
 */
export interface CodedBody {
  readonly codec: number
  readonly content: Buffer
}

/** JSON text in UTF-8. */
const RAW = 0
/** JSON text in the zlib format (RFC 1950: it has a checksum, and names its dictionary) with `BODY_DICTIONARY_1`. */
const DEFLATED = 1

/**
 * The same, with the JSON text of another document as the dictionary: its base, which is of one of the other codecs. A version of a
 * record that is packed against an earlier one takes some 100 bytes in place of 460, is packed in 5 µs, and read in 1 beside its base.
 * A base that is damaged takes along what is packed against it.
 */
const DELTA = 2

/** Shorter documents are hardly shortened. */
const SHORTEST = 64

/** What lies farther back than zlib's window is not found again. */
const LONGEST = 32_000

/** A delta is worth its detour if it has at most this part of its base's content; otherwise what changed over years would add up. */
const WORTH = 1 / 3

/**
 * Levels above 3 cost a fifth more for 3 % less. The window holds the dictionary and a usual record; a larger one costs memory
 * and time for nothing.
 */
const DEFLATION = { dictionary: BODY_DICTIONARY_1, level: 3, windowBits: 14, memLevel: 5, chunkSize: 2_048 }
const INFLATION = { dictionary: BODY_DICTIONARY_1, windowBits: 14, chunkSize: 4_096 }

/** Here the window has to hold a document and the whole of its base. */
const DELTA_DEFLATION = { level: 3, windowBits: 15, memLevel: 5, chunkSize: 2_048 }
const DELTA_INFLATION = { windowBits: 15, chunkSize: 4_096 }

const deflater = new ZlibEngine('deflate', DEFLATION)
const inflater = new ZlibEngine('inflate', INFLATION)
const deltaDeflater = new ZlibEngine('deflate', DELTA_DEFLATION)
const deltaInflater = new ZlibEngine('inflate', DELTA_INFLATION)

export function encodeBody(json: Buffer): CodedBody {
  if (json.length < SHORTEST) return { codec: RAW, content: json }
  const content = deflater.run(json)
  return content.length < json.length ? { codec: DEFLATED, content } : { codec: RAW, content: json }
}

/** A document of codec 0 or 1, and its JSON text in UTF-8. */
export interface BodyBase {
  readonly content: Buffer
  readonly json: Buffer
}

/** A document as what differs from its base; null: that is not worth it. */
export function encodeDelta(json: Buffer, base: BodyBase): CodedBody | null {
  if (json.length < SHORTEST || json.length > LONGEST || base.json.length > LONGEST) return null
  const content = deltaDeflater.run(json, base.json)
  return content.length <= base.content.length * WORTH ? { codec: DELTA, content } : null
}

/**
 * The JSON text in UTF-8; null: a codec of a newer Shipbell. `base`: of a delta, the text of its base. Throws zlib's errors where
 * the content is damaged, or packed against another base.
 */
export function decodeBody({ codec, content }: CodedBody, base: Buffer | null = null): Buffer | null {
  switch (codec) {
    case RAW:
      return content
    case DEFLATED:
      return inflater.run(content)
    case DELTA:
      if (base === null) throw new Error('A delta needs its base.')
      return deltaInflater.run(content, base)
    default:
      return null
  }
}
