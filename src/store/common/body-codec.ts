import { BODY_DICTIONARY_1 } from './body-dictionary.ts'
import { ZlibEngine } from './zlib-engine.ts'

/**
 * A document as `bodies` holds it: `codec` says how `content` is to be read. A released codec is never changed (a test checks
 * it); a better one is a new number, and nothing has to be migrated. Records are small and alike, so a dictionary does more than
 * any level: 2.8 kB become 0.6, without it 1.2. Deflate does better than zstd here and is read in 5 µs.
 * Compressing costs 18 µs.
 */
export interface CodedBody {
  readonly codec: number
  readonly content: Buffer
}

/** JSON text in UTF-8. */
const RAW = 0
/** The same in the zlib format (RFC 1950: it has a checksum, and names its dictionary) with `BODY_DICTIONARY_1`. */
const DEFLATED = 1

/** Shorter documents are hardly shortened. */
const SHORTEST = 64

/**
 * Levels above 3 cost a fifth more for 3 % less. The window holds the dictionary and a usual record; a larger one costs memory
 * and time for nothing.
 */
const DEFLATION = { dictionary: BODY_DICTIONARY_1, level: 3, windowBits: 14, memLevel: 5, chunkSize: 2_048 }
const INFLATION = { dictionary: BODY_DICTIONARY_1, windowBits: 14, chunkSize: 4_096 }

const deflater = new ZlibEngine('deflate', DEFLATION)
const inflater = new ZlibEngine('inflate', INFLATION)

export function encodeBody(json: Buffer): CodedBody {
  if (json.length < SHORTEST) return { codec: RAW, content: json }
  const content = deflater.run(json)
  return content.length < json.length ? { codec: DEFLATED, content } : { codec: RAW, content: json }
}

/** The JSON text in UTF-8; null: a codec of a newer Shipbell. Throws zlib's errors where the content is damaged. */
export function decodeBody({ codec, content }: CodedBody): Buffer | null {
  switch (codec) {
    case RAW:
      return content
    case DEFLATED:
      return inflater.run(content)
    default:
      return null
  }
}
