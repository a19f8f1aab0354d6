import { constants, createDeflate, createInflate, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib'

/** A larger result is left to the functions of `node:zlib`. */
const MOST_BYTES = 64 * 1_024

/**
 * Versions of Node whose streams take another dictionary by a second `init`, which sets it and nothing else, and a reset. What else
 * came in their place would end the process.
 */
const RENEWS = /^2[234]\./.test(process.versions.node)

/**
 * Deflates or inflates one document after the other with one stream of zlib, which is reset for each. The functions of `node:zlib`
 * make and drop a stream, with its states and buffers, for each document, which takes as long as the work itself and keeps the
 * collector busy. What comes of it is the same; of compressing sometimes by another byte, as zlib looks for what was there before.
 *
 * The stream's handle is no documented part of Node. Where it is missing or does not do what is expected, the functions are used.
 */
export class ZlibEngine {
  readonly #kind: 'deflate' | 'inflate'
  readonly #options: ZlibOptions
  /** The stream that does the work; null: this Node has no such handle; undefined: none is open. */
  #stream: Stream | null | undefined

  constructor(kind: 'deflate' | 'inflate', options: ZlibOptions) {
    this.#kind = kind
    this.#options = options
  }

  /**
   * The whole result, in memory of its own. `dictionary`: in place of the one of the options. Throws zlib's errors where the input
   * is damaged, or needs another dictionary.
   */
  run(input: Buffer, dictionary?: Buffer): Buffer {
    return this.#quick(input, dictionary) ?? this.#slow(input, dictionary)
  }

  /** What the stream makes of the input; null: the function has to do it. */
  #quick(input: Buffer, dictionary: Buffer | undefined): Buffer | null {
    if (input.length > MOST_BYTES) return null
    if (this.#stream === undefined) this.#stream = openStream(this.#kind, this.#options)
    if (this.#stream === null) return null
    const { handle, output, owner, state } = this.#stream
    if (dictionary !== undefined && !renew(this.#stream, this.#options, dictionary)) return null
    handle.reset()
    handle.writeSync(constants.Z_FINISH, input, 0, input.length, output, 0, MOST_BYTES)
    const [left = 0] = state
    if (owner.destroyed) this.#stream = undefined
    return owner.destroyed || left === 0 ? null : Buffer.from(output.subarray(0, MOST_BYTES - left))
  }

  #slow(input: Buffer, dictionary: Buffer | undefined): Buffer {
    const options = dictionary === undefined ? this.#options : { ...this.#options, dictionary }
    return this.#kind === 'deflate' ? deflateSync(input, options) : inflateSync(input, options)
  }
}

interface Stream {
  readonly owner: { readonly destroyed: boolean }
  readonly handle: Handle
  readonly output: Buffer
  /** How much of the output and of the input the last write left. */
  readonly state: Uint32Array
}

interface Handle {
  init(
    windowBits: number,
    level: number,
    ...[memLevel, strategy, state, written, dictionary]: [number, number, Uint32Array, () => void, Buffer]
  ): void
  reset(): void
  writeSync(
    flush: number,
    ...[input, inputAt, inputLength, output, outputAt, outputLength]: [Buffer, number, number, Buffer, number, number]
  ): void
}

function openStream(kind: 'deflate' | 'inflate', options: ZlibOptions): Stream | null {
  const owner = kind === 'deflate' ? createDeflate(options) : createInflate(options)
  // Damaged input destroys the stream, which then tells of it: the function that runs in its place has thrown it already.
  owner.on('error', () => undefined)
  const handle: unknown = Reflect.get(owner, '_handle')
  const state: unknown = Reflect.get(owner, '_writeState')
  if (!isHandle(handle) || !(state instanceof Uint32Array)) return null
  return { owner, handle, state, output: Buffer.allocUnsafeSlow(MOST_BYTES) }
}

/** The stream keeps a copy of the dictionary. false: it takes no other one. */
function renew({ handle, state }: Stream, options: ZlibOptions, dictionary: Buffer): boolean {
  if (!RENEWS) return false
  const { Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY, Z_DEFAULT_WINDOWBITS } = constants
  const { level = Z_DEFAULT_COMPRESSION, memLevel = Z_DEFAULT_MEMLEVEL, windowBits = Z_DEFAULT_WINDOWBITS } = options
  handle.init(windowBits, level, memLevel, Z_DEFAULT_STRATEGY, state, nothing, dictionary)
  return true
}

/** What comes of a write is asked for at once. */
function nothing(): void {
  return undefined
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'init' in value && 'reset' in value && 'writeSync' in value
}
