import { constants, createDeflate, createInflate, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib'

/** A larger result is left to the functions of `node:zlib`. */
const MOST_BYTES = 64 * 1_024

/**
 * Deflates or inflates one document after the other with one stream of zlib, which is reset for each. The functions of `node:zlib`
 * make and drop a stream, with its states and buffers, for each document, which takes as long as the work itself and keeps the
 * collector busy. What they give is what this gives.
 *
 * The stream's handle is no documented part of Node. Where it is missing or does not do what is expected, the functions are used.
 */
export class ZlibEngine {
  readonly #kind: 'deflate' | 'inflate'
  readonly #options: ZlibOptions
  /** null: this Node has no such handle; undefined: nothing was asked for yet. */
  #stream: Stream | null | undefined

  constructor(kind: 'deflate' | 'inflate', options: ZlibOptions) {
    this.#kind = kind
    this.#options = options
  }

  /** The whole result, in memory of its own. Throws zlib's errors where the input is damaged. */
  run(input: Buffer): Buffer {
    return this.#quick(input) ?? this.#slow(input)
  }

  /** null: for the function to say. */
  #quick(input: Buffer): Buffer | null {
    if (input.length > MOST_BYTES) return null
    if (this.#stream === undefined) this.#stream = openStream(this.#kind, this.#options)
    if (this.#stream === null) return null
    const { handle, output, owner, state } = this.#stream
    handle.reset()
    handle.writeSync(constants.Z_FINISH, input, 0, input.length, output, 0, MOST_BYTES)
    const [left = 0] = state
    if (owner.destroyed) this.#stream = undefined
    return owner.destroyed || left === 0 ? null : Buffer.from(output.subarray(0, MOST_BYTES - left))
  }

  #slow(input: Buffer): Buffer {
    return this.#kind === 'deflate' ? deflateSync(input, this.#options) : inflateSync(input, this.#options)
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

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'reset' in value && 'writeSync' in value
}
