import { TABLES } from '../tables/tables.ts'
import { DocumentUses } from '../../ledger/records.ts'
import type { JsonObject } from '../../model/json.ts'
import { encodeBody } from './body-codec.ts'
import type { Documents, EventRow } from '../events/event-rows.ts'
import { type BodyPlace, type BodyRow, joinedBody, type KeptBodies, StoredBody, unusable } from './stored-body.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { type Look, type Part, writeTogether } from '../server/statement-parts.ts'

const LOAD = new Query<BodyRow>(`
  SELECT bodies.ref, bodies.codec, bodies.content, bodies.base, base.codec AS base_codec, base.content AS base_content
  FROM bodies LEFT JOIN bodies AS base ON base.ref = bodies.base WHERE bodies.ref = ANY(:refs::bigint[])`)
/** References that no document has or had. */
const REFS = `SELECT nextval(pg_get_serial_sequence('bodies', 'ref')) AS ref FROM generate_series(1, :amount)`
const MORE_REFS = new Query<{ ref: number }>(REFS)
const ADD = `
  document AS (
    INSERT INTO bodies (${TABLES.bodies.names})
    SELECT * FROM unnest(:refs::bigint[], :uses::bigint[], :codecs::bigint[], :contents::bytea[], :bases::bigint[])
  )`
/** Drops what nothing needs any more. */
const COUNT = 'use_documents(:refs::bigint[], :changes::bigint[])'

const KEPT = new WeakMap<object, KeptBodies>()

/**
 * Where documents of a database were stored, or loaded from: to be asked for before they are read. For as long as the memory is the
 * same one, a `ref` is no other document's, because a sequence gives none twice: no document is compared.
 */
function keptIn(memory: object): KeptBodies {
  const kept: KeptBodies = KEPT.get(memory) ?? new WeakMap()
  KEPT.set(memory, kept)
  return kept
}

/** The documents of events, by one statement; the same document is the same object each time. */
export async function documentsOfEvents(
  { db: { memory, place }, tx }: { readonly db: Database; readonly tx: Pick<Transaction, 'all'> },
  events: readonly EventRow[],
): Promise<Documents> {
  const pointers = new Set(events.flatMap((event) => [event.object_body, event.before_body]))
  const refs = [...pointers].filter((ref) => ref !== null)
  const rows = refs.length === 0 ? [] : await tx.all(LOAD, { refs })
  return documentsOf({ memory, place }, rows)
}

/** The documents of rows loaded with others, once `memory` was asked for. Throws `store_unusable` for one that is not among them. */
export function documentsOf(
  { memory, place }: Pick<Database, 'memory' | 'place'>,
  rows: readonly BodyRow[],
): Documents {
  const bodies = storedBodies(rows, { kept: keptIn(memory), path: place })
  const find = (ref: number | null): StoredBody | null => {
    if (ref === null) return null
    const body = bodies.get(ref)
    if (body === undefined) throw unusable(place, `lacks document ${ref}`)
    return body
  }
  return { find, load: (ref) => find(ref)?.value ?? null }
}

/** By their `ref`, and their bases beside them. */
function storedBodies(rows: readonly BodyRow[], place: BodyPlace): ReadonlyMap<number, StoredBody> {
  const bodies = new Map<number, StoredBody>()
  const hold = ({ codec, content, ref }: Pick<BodyRow, 'codec' | 'content' | 'ref'>, base: StoredBody | null) => {
    const body = bodies.get(ref) ?? new StoredBody({ ref, codec, content, base }, place)
    bodies.set(ref, body)
    return body
  }
  for (const row of rows) {
    const { base: ref, base_codec: codec, base_content: content } = row
    if (ref !== null && (codec === null || content === null)) throw unusable(place.path, `lacks document ${ref}`)
    hold(row, ref === null || codec === null || content === null ? null : hold({ ref, codec, content }, null))
  }
  return bodies
}

/** A document of a transaction: what has its `ref`, or gets one when the new ones are stored. */
export interface Slot {
  ref: number | null
  readonly body: JsonObject | null
  /** An earlier version of a new document; null: none is certainly there. */
  readonly previous: StoredBody | null
}

/**
 * The documents that one transaction writes rows for, and how many records and events point at each. A document that was loaded
 * before is not serialised again where a row that the transaction holds points at it; anything else is stored anew, since it may
 * have been dropped meanwhile.
 */
export class DocumentWriter {
  readonly uses = new DocumentUses<Slot>()
  readonly #place: BodyPlace
  readonly #new = new Map<JsonObject, Slot>()
  readonly #held = new Map<number, Slot>()

  constructor(db: Database) {
    this.#place = { kept: keptIn(db.memory), path: db.place }
  }

  /** The document at `ref`, at which a row of an account that is held points. */
  held(ref: number | null): Slot | null {
    if (ref === null) return null
    const slot = this.#held.get(ref) ?? { ref, body: null, previous: null }
    this.#held.set(ref, slot)
    return slot
  }

  /** After `held` was told what rows point at. `previous`: an earlier version of it, where it is at hand. */
  slotOf(body: JsonObject | null, previous: JsonObject | null = null): Slot | null {
    if (body === null) return null
    const held = this.#held.get(this.#place.kept.get(body)?.ref ?? -1)
    const slot = held ?? this.#new.get(body) ?? { ref: null, body, previous: this.#stored(previous) }
    if (slot.body !== null) this.#new.set(body, slot)
    return slot
  }

  /** Whether a document is the one that is stored there. */
  isAt(body: JsonObject | null, slot: Slot | null): boolean {
    const kept = body === null ? undefined : this.#place.kept.get(body)
    return kept !== undefined && slot !== null && slot.ref === kept.ref
  }

  /** Where a document is stored at which a row that the transaction holds points: it stays for as long, and its base with it. */
  #stored(body: JsonObject | null): StoredBody | null {
    const kept = body === null ? undefined : this.#place.kept.get(body)
    return kept !== undefined && this.#held.has(kept.ref) ? kept : null
  }

  /** Looks up as many references as these documents take at most; null: they take none. */
  refsFor(bodies: readonly (JsonObject | null)[]): Look<{ ref: number }> | null {
    const unknown = new Set(bodies.filter((body) => body !== null && !this.#place.kept.has(body)))
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
    const stored = used.map((slot) => this.#pack(slot))
    return {
      sql: ADD,
      values: {
        refs: stored.map(({ ref }) => ref),
        uses: used.map((slot) => this.uses.of(slot)),
        codecs: stored.map(({ codec }) => codec),
        contents: stored.map(({ content }) => content),
        bases: stored.map(({ base }) => base?.ref ?? null),
      },
    }
  }

  #pack({ body, previous, ref }: Slot): StoredBody {
    if (body === null || ref === null) throw new Error('a new document has a place before it is stored')
    const json = Buffer.from(JSON.stringify(body))
    const packed = previous?.pack(json) ?? { ...encodeBody(json), base: null }
    const stored = new StoredBody({ ref, ...packed }, this.#place)
    this.#place.kept.set(body, stored)
    return stored
  }

  /** The call that counts what points at the documents that were there: at the transaction's end, as everybody does. null: none. */
  counted(): Part | null {
    const changes = this.uses.changed.filter(([{ body }]) => body === null)
    if (changes.length === 0) return null
    const values = { refs: changes.map(([{ ref }]) => ref), changes: changes.map(([, change]) => change) }
    return { sql: COUNT, values }
  }

  async store(tx: Transaction): Promise<void> {
    await this.place(tx)
    await writeTogether(tx, { documents: this.added() })
  }

  async settle(tx: Transaction): Promise<void> {
    await writeTogether(tx, {}, { uses: this.counted() })
  }

  #used(): readonly Slot[] {
    return [...this.#new.values()].filter((slot) => this.uses.of(slot) > 0)
  }
}

/** Joins a document and its base to a row that points at it. */
export function joinBody(name: string, condition: string): string {
  return `LEFT JOIN bodies AS ${name} ON ${condition} LEFT JOIN bodies AS ${name}_beneath ON ${name}_beneath.ref = ${name}.base`
}

/** `NAME_codec`, `NAME_content`, `NAME_base`, `NAME_base_codec`, `NAME_base_content`. */
export function bodyColumns(name: string): string {
  return `${name}.codec AS ${name}_codec, ${name}.content AS ${name}_content, ${name}.base AS ${name}_base,
    ${name}_beneath.codec AS ${name}_base_codec, ${name}_beneath.content AS ${name}_base_content`
}

type Numbers<Name extends string> = {
  readonly [column in `${Name}_${'body' | 'codec' | 'base' | 'base_codec'}`]: number | null
}
type Contents<Name extends string> = { readonly [column in `${Name}_${'content' | 'base_content'}`]: Buffer | null }

/** A row with these columns, and what pointed at the document: `NAME_body`. */
export type RowWithBody<Name extends string> = Numbers<Name> & Contents<Name>

/** The document that a row points at; null: it points at none, or the join left it out. */
export function bodyOf<Name extends string>(row: RowWithBody<Name>, name: Name): BodyRow | null {
  const numbers: Numbers<Name> = row
  const contents: Contents<Name> = row
  return joinedBody({
    ref: numbers[`${name}_body`],
    codec: numbers[`${name}_codec`],
    content: contents[`${name}_content`],
    base: numbers[`${name}_base`],
    base_codec: numbers[`${name}_base_codec`],
    base_content: contents[`${name}_base_content`],
  })
}
