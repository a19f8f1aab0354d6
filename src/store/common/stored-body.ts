import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { decodeBody, type CodedBody } from './body-codec.ts'

export interface KeptBody extends CodedBody {
  readonly ref: number
  /** Until when its row is certainly there: the connection's `standing`. Left out: nobody knows. */
  readonly standing?: symbol
}

/** Where documents of one store were stored, or loaded from. */
export type KeptBodies = WeakMap<JsonObject, KeptBody>

/**
 * A document as it was kept when it was read, unpacked and parsed when that is first asked for, which may be after the
 * transaction. Throws `store_unusable` then where it is damaged, `store_newer` where a newer Shipbell wrote it.
 */
export class StoredBody {
  readonly #kept: KeptBody
  readonly #path: string
  readonly #keptBodies: KeptBodies
  #json: Buffer | null = null
  #value: JsonObject | null = null

  constructor(body: KeptBody, { kept, path }: { readonly kept: KeptBodies; readonly path: string }) {
    this.#kept = body
    this.#path = path
    this.#keptBodies = kept
  }

  /** Whether the row that was read now holds the same document. */
  isOf({ codec, content }: KeptBody): boolean {
    return codec === this.#kept.codec && this.#kept.content.equals(content)
  }

  /** In UTF-8. */
  get json(): Buffer {
    this.#json ??= unpack(this.#kept, this.#path)
    return this.#json
  }

  get value(): JsonObject {
    const value: JsonObject = this.#value ?? JSON.parse(this.json.toString())
    this.#value = value
    this.#keptBodies.set(value, this.#kept)
    return value
  }
}

function unpack(kept: KeptBody, path: string): Buffer {
  let json: Buffer | null
  try {
    json = decodeBody(kept)
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
