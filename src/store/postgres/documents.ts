import type { JsonObject } from '../../model/json.ts'
import { encodeBody } from '../common/body-codec.ts'
import type { Documents } from '../common/event-row.ts'
import { type KeptBodies, type KeptBody, StoredBody, unusable } from '../common/stored-body.ts'
import type { Database, Transaction } from './database.ts'
import { Query } from './query.ts'
import { writeTogether, type Look, type Part } from './together.ts'

const LOAD = new Query<KeptBody>('SELECT ref, codec, content FROM bodies WHERE ref = ANY(:refs::bigint[])')
/** References that no document has or had. */
const REFS = `SELECT nextval(pg_get_serial_sequence('bodies', 'ref')) AS ref FROM generate_series(1, :amount)`
const MORE_REFS = new Query<{ ref: number }>(REFS)
const ADD = `
  document AS (
    INSERT INTO bodies (ref, uses, codec, content)
    SELECT * FROM unnest(:refs::bigint[], :uses::bigint[], :codecs::bigint[], :contents::bytea[])
  )`
/** One that nothing points at any more is dropped by the schema. */
const COUNT = `
  document_use AS (
    UPDATE bodies SET uses = uses + change FROM unnest(:refs::bigint[], :changes::bigint[]) AS use (of, change) WHERE ref = of
  )`

const KEPT = new WeakMap<object, KeptBodies>()

/** Where documents of a database were stored, or loaded from. A `ref` is never another document's, so none is compared. */
function keptIn(db: Database): KeptBodies {
  const kept: KeptBodies = KEPT.get(db.source) ?? new WeakMap()
  KEPT.set(db.source, kept)
  return kept
}

/** The documents that rows point at, by one statement; the same document is the same object each time. */
export async function loadDocuments(
  db: Database,
  tx: Pick<Transaction, 'all'>,
  pointers: Iterable<number | null>,
): Promise<Documents> {
  const refs = [...new Set(pointers)].filter((ref) => ref !== null)
  const rows = refs.length === 0 ? [] : await tx.all(LOAD, { refs })
  return documentsOf(db, rows)
}

/** Of rows that were loaded with others. Throws `store_unusable` for a document that is not among them. */
export function documentsOf(db: Database, rows: readonly KeptBody[]): Documents {
  const kept = keptIn(db)
  const bodies = new Map(rows.map((row) => [row.ref, new StoredBody(row, { kept, path: db.place })]))
  const find = (ref: number | null): StoredBody | null => {
    if (ref === null) return null
    const body = bodies.get(ref)
    if (body === undefined) throw unusable(db.place, `lacks document ${ref}`)
    return body
  }
  return { find, load: (ref) => find(ref)?.value ?? null }
}

/** A document of a transaction: what has its `ref`, or gets one when the new ones are stored. */
export interface Slot {
  ref: number | null
  readonly body: JsonObject | null
}

/**
 * The documents that one transaction writes rows for, and how many records and events point at each, netted over it: one that
 * passes from a record to the event of its change is not even touched. A document that was loaded before is not serialised again
 * where a row that the transaction holds points at it; anything else is stored anew, since it may have been dropped meanwhile.
 */
export class DocumentWriter {
  readonly #kept: KeptBodies
  readonly #new = new Map<JsonObject, Slot>()
  readonly #held = new Map<number, Slot>()
  readonly #changes = new Map<Slot, number>()

  constructor(db: Database) {
    this.#kept = keptIn(db)
  }

  /** The document at `ref`, at which a row of an account that is held points. */
  held(ref: number | null): Slot | null {
    if (ref === null) return null
    const slot = this.#held.get(ref) ?? { ref, body: null }
    this.#held.set(ref, slot)
    return slot
  }

  /** After `held` was told what rows point at. */
  slotOf(body: JsonObject | null): Slot | null {
    if (body === null) return null
    const slot = this.#held.get(this.#kept.get(body)?.ref ?? -1) ?? this.#new.get(body) ?? { ref: null, body }
    if (slot.body !== null) this.#new.set(body, slot)
    return slot
  }

  /** A row points at these from now on, or (`by` -1) no longer. */
  point(slots: readonly (Slot | null)[], by: 1 | -1): void {
    for (const slot of new Set(slots)) if (slot !== null) this.#changes.set(slot, (this.#changes.get(slot) ?? 0) + by)
  }

  /** As many references as these documents take at most. */
  refsFor(bodies: readonly (JsonObject | null)[]): Look<{ ref: number }> | null {
    const unknown = new Set(bodies.filter((body) => body !== null && !this.#kept.has(body)))
    return unknown.size === 0 ? null : { sql: REFS, values: { amount: unknown.size } }
  }

  /** Gives new documents their `ref`, as far as something points at them: of those that were asked for, and of more. */
  async place(tx: Transaction, asked: readonly { readonly ref: number }[] = []): Promise<void> {
    const used = this.#used()
    const amount = used.length - asked.length
    const refs = amount <= 0 ? asked : [...asked, ...(await tx.all(MORE_REFS, { amount }))]
    for (const [index, slot] of used.entries()) slot.ref = refs[index]?.ref ?? null
  }

  /** The new documents, which have their `ref`. null: there are none. */
  added(): Part | null {
    const used = this.#used()
    if (used.length === 0) return null
    const coded = used.map(({ body }) => encodeBody(Buffer.from(JSON.stringify(body))))
    for (const [index, { body, ref }] of used.entries()) {
      const bytes = coded[index]
      if (body !== null && ref !== null && bytes !== undefined) this.#kept.set(body, { ref, ...bytes })
    }
    return {
      sql: ADD,
      values: {
        refs: used.map(({ ref }) => ref),
        uses: used.map((slot) => this.#changes.get(slot) ?? 0),
        codecs: coded.map(({ codec }) => codec),
        contents: coded.map(({ content }) => content),
      },
    }
  }

  /** Counts what points at the documents that were there; at the transaction's end, as everybody does. null: as before. */
  counted(): Part | null {
    const changes = [...this.#changes].filter(([{ body }, change]) => body === null && change !== 0)
    if (changes.length === 0) return null
    const values = { refs: changes.map(([{ ref }]) => ref), changes: changes.map(([, change]) => change) }
    return { sql: COUNT, values }
  }

  async store(tx: Transaction): Promise<void> {
    await this.place(tx)
    await writeTogether(tx, { documents: this.added() })
  }

  async settle(tx: Transaction): Promise<void> {
    await writeTogether(tx, { uses: this.counted() })
  }

  #used(): readonly Slot[] {
    return [...this.#new.values()].filter((slot) => (this.#changes.get(slot) ?? 0) > 0)
  }
}
