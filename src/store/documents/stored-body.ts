import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { decodeBody, encodeDelta, type CodedBody } from './body-codec.ts'

/** The row of a document, read together with that of its base; null: it has none. */
export interface BodyRow extends CodedBody {
  readonly ref: number
  readonly base: number | null
  readonly base_codec: number | null
  readonly base_content: Buffer | null
}

export interface KeptBody extends CodedBody {
  readonly ref: number
  /** The document that a delta is read with, which is no delta itself; null: this one is none. */
  readonly base: StoredBody | null
  /** The connection's `standing` for as long as the row is certainly there; left out: nobody knows. */
  readonly standing?: symbol | undefined
}

/** The columns of such a row in a join, which may have found none. */
export type JoinedBody = { readonly [column in keyof BodyRow]: BodyRow[column] | null }

/** The row that a join found; null: none. */
export function joinedBody({ codec, content, ref, ...base }: JoinedBody): BodyRow | null {
  return ref === null || codec === null || content === null ? null : { ...base, ref, codec, content }
}

/** Where documents of one store were stored, or loaded from. */
export type KeptBodies = WeakMap<JsonObject, StoredBody>

/** The store at `path`, and the documents that are known of it. */
export interface BodyPlace {
  readonly kept: KeptBodies
  readonly path: string
}

/**
 * A document as it was kept when it was read, unpacked and parsed when that is first asked for, which may be after the
 * transaction. Throws `store_unusable` then where it is damaged, `store_newer` where a newer Shipbell wrote it.
 */
export class StoredBody implements KeptBody {
  readonly ref: number
  readonly codec: number
  readonly content: Buffer
  readonly base: StoredBody | null
  readonly standing: symbol | undefined
  readonly #place: BodyPlace
  #json: Buffer | null = null
  #value: JsonObject | null = null

  constructor({ base, codec, content, ref, standing }: KeptBody, place: BodyPlace) {
    this.ref = ref
    this.codec = codec
    this.content = content
    this.base = base
    this.standing = standing
    this.#place = place
  }

  /** Whether the row that was read now, with the same base, holds the same document. */
  isOf({ base, codec, content }: KeptBody): boolean {
    return codec === this.codec && base === this.base && this.content.equals(content)
  }

  /**
   * A later version of it, packed against the same base, or against this one where it has none; null: that is not worth it. Its texts
   * are given back, which take more memory than all else: they are unpacked anew where they are asked for again.
   */
  pack(json: Buffer): Pick<KeptBody, 'codec' | 'content' | 'base'> | null {
    const base = this.base ?? this
    const delta = encodeDelta(json, base)
    this.#json = null
    base.#json = null
    return delta === null ? null : { ...delta, base }
  }

  /** The document as JSON in UTF-8. */
  get json(): Buffer {
    this.#json ??= unpack(this, this.#place.path)
    return this.#json
  }

  get value(): JsonObject {
    const value: JsonObject = this.#value ?? JSON.parse(this.json.toString())
    this.#value = value
    this.#place.kept.set(value, this)
    return value
  }
}

function unpack(kept: KeptBody, path: string): Buffer {
  const base = kept.base?.json ?? null
  let json: Buffer | null
  try {
    json = decodeBody(kept, base)
  } catch {
    throw unusable(path, `holds document ${kept.ref} damaged`)
  }
  if (json !== null) return json
  throw new ShipbellError(
    'store_newer',
    `The store ${path} holds documents that a newer Shipbell wrote: update Shipbell, or restore an older backup.`,
  )
}

export function unusable(path: string, how: string): ShipbellError {
  return new ShipbellError('store_unusable', `The store ${path} ${how}: restore a backup.`)
}
