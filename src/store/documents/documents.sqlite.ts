import { TABLES } from '../tables/tables.ts'
import { DocumentUses } from '../../ledger/records.ts'
import type { JsonObject } from '../../model/json.ts'
import { encodeBody } from './body-codec.ts'
import { type BodyRow, type KeptBodies, StoredBody, unusable } from './stored-body.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const IS_STILL = new Query(`
  SELECT 1 FROM bodies LEFT JOIN bodies AS base ON base.ref = bodies.base
  WHERE bodies.ref = CAST(? AS INTEGER) AND bodies.content = ? AND bodies.base IS CAST(? AS INTEGER) AND base.content IS ?`)
const LAST = new Query<{ ref: number | null }>('SELECT max(ref) AS ref FROM bodies')
const ADD = TABLES.bodies.insert
// The base is read by itself: a join takes longer than two reads, and most bases are known by then.
const LOAD = new Query<PlainRow>('SELECT ref, codec, content, base FROM bodies WHERE ref = ?')
// One statement for many: each look by itself would cost three times as much.
const LOAD_MANY = new Query<PlainRow>(`
  SELECT bodies.ref, codec, content, base FROM json_each(?) AS wanted CROSS JOIN bodies ON bodies.ref = wanted.value`)
const COUNT = 'UPDATE bodies SET uses = uses + ? WHERE ref = ?'
// What is not used any more stays for as long as a delta needs it; the last one takes it along: by a trigger (migration 0015), since
// SQLite tells the base of what it deletes by a trigger as well.
const DROP_UNUSED = `
  DELETE FROM bodies
  WHERE ref = ? AND uses = 0 AND NOT EXISTS (SELECT 1 FROM bodies AS delta WHERE delta.base = bodies.ref)`

type PlainRow = Pick<BodyRow, 'ref' | 'codec' | 'content' | 'base'>

/**
 * Where documents were stored, or loaded from. A document is still there only if its row holds the same bytes: it may have been
 * dropped or rolled back, or the store may be another one. Its `ref` may be another's by now, because the greatest one is given again
 * once its row is gone.
 */
const KEPT: KeptBodies = new WeakMap()

/**
 * Counts how many records and events point at documents, and writes that down. Foreign keys would need an index for each of the
 * four columns that point, written with every change of a record.
 */
export class BodyUses extends DocumentUses<number> {
  readonly #new = new Map<number, StoredBody>()

  /** Notes that a document has no row yet. */
  isNew(body: StoredBody): void {
    this.#new.set(body.ref, body)
  }

  /**
   * Writes new documents down that something points at, and the difference of others; drops what nothing points at any more. What
   * a new one needs is then known to be needed. Called once.
   */
  settle(db: Connection): void {
    for (const { base, codec, content, ref } of this.#new.values()) {
      const uses = this.of(ref)
      if (uses > 0) db.run(ADD, ref, uses, codec, content, base?.ref ?? null)
    }
    for (const [ref, change] of this.changed) {
      if (this.#new.has(ref)) continue
      db.run(COUNT, change, ref)
      if (change < 0 && db.run(DROP_UNUSED, ref) > 0) db.noteGone()
    }
  }
}

/**
 * Stores JSON documents within one transaction, of which there is one at a time; their rows are written when `uses` settles. An
 * object that was stored or loaded before, and is still there, is not even serialised again. Equal documents are not looked for:
 * that would take an index of hashes, in which each write lands on a page of its own, and records hardly ever come back to what they
 * were.
 */
export class BodyWriter {
  readonly uses = new BodyUses()
  readonly #db: Connection
  /** What is asked of the database once a document is there to be written; null: none was. */
  #standing: symbol | null = null
  readonly #known = new Map<JsonObject, number>()
  /** The `ref` that was taken last; null: none was. */
  #last: number | null = null

  constructor(db: Connection) {
    this.#db = db
  }

  /** Whether an object is the document that is stored there. */
  isAt(body: JsonObject, ref: number | null): boolean {
    return (this.#known.get(body) ?? this.#find(body)?.ref) === ref
  }

  /** The `ref` of the stored document; null for null. `previous`: an earlier version of it, where it is at hand. */
  save(body: JsonObject | null, previous: JsonObject | null = null): number | null {
    if (body === null) return null
    let ref = this.#known.get(body)
    if (ref === undefined) {
      ref = this.#find(body)?.ref ?? this.#store(body, previous)
      this.#known.set(body, ref)
    }
    return ref
  }

  #find(body: JsonObject): StoredBody | undefined {
    const kept = KEPT.get(body)
    if (kept === undefined) return undefined
    // Most were loaded for this very commit.
    this.#standing ??= this.#db.standing()
    if (kept.standing === this.#standing) return kept
    const { base, content, ref } = kept
    const isStill = this.#db.one(IS_STILL, ref, content, base?.ref ?? null, base?.content ?? null) !== undefined
    return isStill ? kept : undefined
  }

  #store(body: JsonObject, previous: JsonObject | null): number {
    const json = Buffer.from(JSON.stringify(body))
    const delta = (previous === null ? undefined : this.#find(previous))?.pack(json) ?? null
    const ref = (this.#last ?? this.#db.one(LAST)?.ref ?? 0) + 1
    this.#last = ref
    const packed = delta ?? { ...encodeBody(json), base: null }
    const stored = new StoredBody({ ref, ...packed }, { kept: KEPT, path: this.#db.path })
    this.uses.isNew(stored)
    KEPT.set(body, stored)
    return ref
  }
}

/** The documents of events, read together within one transaction. */
export function documentsOfEvents(
  db: Connection,
  events: readonly Pick<EventRow, 'object_body' | 'before_body'>[],
): BodyReader {
  const bodies = new BodyReader(db)
  bodies.readMany(events.flatMap((event) => [event.object_body, event.before_body]))
  return bodies
}

/** Reads documents within one transaction; the same document is the same object each time. */
export class BodyReader {
  readonly #db: Connection
  readonly #known = new Map<number, StoredBody>()
  readonly #before: ReadonlyMap<number, StoredBody>

  /** `before`: the reader of an earlier transaction; what both read is unpacked once. */
  constructor(db: Connection, before?: BodyReader) {
    this.#db = db
    this.#before = before === undefined ? new Map() : before.#known
  }

  /** The documents at these places are read together, and are at hand from then on. */
  readMany(refs: readonly (number | null)[]): void {
    const rows = this.#rows(refs)
    for (const row of this.#rows(rows.map(({ base }) => base))) this.#take(row, null)
    for (const row of rows) this.#take(row, this.#baseAt(row.base))
  }

  load(ref: number | null): JsonObject | null {
    return this.find(ref)?.value ?? null
  }

  /** The document at `ref`; null for null. */
  find(ref: number | null): StoredBody | null {
    if (ref === null) return null
    return this.#known.get(ref) ?? this.#read(ref)
  }

  /** Takes a document whose row was read with something else. */
  hold({ base, base_codec: codec, base_content: content, ...row }: BodyRow): void {
    if (base !== null && codec !== null && content !== null) this.#take({ ref: base, codec, content }, null)
    this.#take(row, this.#baseAt(base))
  }

  #read(ref: number): StoredBody {
    const row = this.#row(ref)
    return this.#take(row, this.#baseAt(row.base))
  }

  /** The base at `ref`: a base has none itself. null for null. */
  #baseAt(ref: number | null): StoredBody | null {
    return ref === null ? null : (this.#known.get(ref) ?? this.#take(this.#row(ref), null))
  }

  #take({ codec, content, ref }: Omit<PlainRow, 'base'>, base: StoredBody | null): StoredBody {
    const kept = { ref, codec, content, base, standing: this.#db.lastStanding }
    const same = this.#known.get(ref) ?? this.#before.get(ref)
    const body = same?.isOf(kept) === true ? same : new StoredBody(kept, { path: this.#db.path, kept: KEPT })
    this.#known.set(ref, body)
    return body
  }

  /** The rows of documents that are not known yet. */
  #rows(refs: readonly (number | null)[]): readonly PlainRow[] {
    const asked = [...new Set(refs)].filter((ref) => ref !== null && !this.#known.has(ref))
    return asked.length === 0 ? [] : this.#db.all(LOAD_MANY, JSON.stringify(asked))
  }

  #row(ref: number): PlainRow {
    const row = this.#db.one(LOAD, ref)
    if (row === undefined) throw unusable(this.#db.path, `lacks document ${ref}`)
    return row
  }
}
