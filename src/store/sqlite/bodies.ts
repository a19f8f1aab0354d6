import { hash } from 'node:crypto'
import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { decodeBody, encodeBody, type CodedBody } from './body-codec.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const FIND = new Query<{ ref: number }>('SELECT ref FROM bodies WHERE digest = ?')
const ADD = new Query<{ ref: number }>('INSERT INTO bodies (digest, codec, content) VALUES (?, ?, ?) RETURNING ref')
const LOAD = new Query<CodedBody>('SELECT codec, content FROM bodies WHERE ref = ?')
const DROP_UNUSED = `
  DELETE FROM bodies WHERE ref = :ref
    AND NOT EXISTS (SELECT 1 FROM records WHERE seen_body = :ref)
    AND NOT EXISTS (SELECT 1 FROM records WHERE reported_body = :ref)
    AND NOT EXISTS (SELECT 1 FROM events WHERE object_body = :ref)
    AND NOT EXISTS (SELECT 1 FROM events WHERE before_body = :ref)`

/** Stores JSON documents once by content, within one transaction; a document met again is not even serialised again. */
export class BodyWriter {
  readonly #db: Connection
  readonly #known = new Map<JsonObject, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** The `ref` of the stored document; null for null. */
  save(body: JsonObject | null): number | null {
    if (body === null) return null
    let ref = this.#known.get(body)
    if (ref === undefined) {
      ref = this.#store(JSON.stringify(body))
      this.#known.set(body, ref)
    }
    return ref
  }

  #store(text: string): number {
    const digest = hash('sha256', text, 'buffer')
    const row = this.#db.one(FIND, digest) ?? this.#add(digest, encodeBody(Buffer.from(text)))
    if (row === undefined) throw new ShipbellError('internal', 'A body that was just stored has no row.')
    return row.ref
  }

  #add(digest: Buffer, { codec, content }: CodedBody): { readonly ref: number } | undefined {
    return this.#db.one(ADD, digest, codec, content)
  }
}

/** A document as it is kept, parsed when it is first asked for. */
export class StoredBody {
  /** In UTF-8. */
  readonly json: Buffer
  #value: JsonObject | null = null

  constructor(json: Buffer) {
    this.json = json
  }

  get value(): JsonObject {
    const value: JsonObject = this.#value ?? JSON.parse(this.json.toString())
    this.#value = value
    return value
  }
}

/** Reads documents within one transaction; the same document is the same object each time. */
export class BodyReader {
  readonly #db: Connection
  readonly #known = new Map<number, StoredBody>()

  constructor(db: Connection) {
    this.#db = db
  }

  load(ref: number | null): JsonObject | null {
    return this.find(ref)?.value ?? null
  }

  /** null for null. What it gives may be used after the transaction, too. */
  find(ref: number | null): StoredBody | null {
    if (ref === null) return null
    let body = this.#known.get(ref)
    if (body === undefined) {
      body = new StoredBody(this.#read(ref))
      this.#known.set(ref, body)
    }
    return body
  }

  #read(ref: number): Buffer {
    const row = this.#db.one(LOAD, ref)
    if (row === undefined) throw this.#unusable(`lacks document ${ref}`)
    let json: Buffer | null
    try {
      json = decodeBody(row)
    } catch {
      throw this.#unusable(`holds document ${ref} damaged`)
    }
    if (json === null) {
      throw new ShipbellError(
        'store_newer',
        `The store ${this.#db.path} holds documents that a newer Shipbell wrote: update Shipbell, or restore an older backup.`,
      )
    }
    return json
  }

  #unusable(how: string): ShipbellError {
    return new ShipbellError('store_unusable', `The store ${this.#db.path} ${how}: restore a backup.`)
  }
}

/** Drops a document that no record and no event points at. */
export function dropUnusedBody(db: Connection, ref: number): void {
  db.run(DROP_UNUSED, { ref })
}
