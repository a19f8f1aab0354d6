import type { Provenance } from '../../model/provenance.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const ADD = new Query<{ ref: number }>('INSERT INTO sightings (told) VALUES (?) RETURNING ref')
const LOAD = new Query<{ told: string }>('SELECT told FROM sightings WHERE ref = ?')

/** Stores the provenance of a commit once, and only when an event needs it. */
export class ProvenanceWriter {
  readonly #db: Connection
  readonly #provenance: Provenance | undefined
  #ref: number | null = null

  constructor(db: Connection, provenance: Provenance | undefined) {
    this.#db = db
    this.#provenance = provenance
  }

  /** null where the commit says nothing of how it came to know. */
  ref(): number | null {
    if (this.#provenance !== undefined) this.#ref ??= this.#db.one(ADD, JSON.stringify(this.#provenance))?.ref ?? null
    return this.#ref
  }
}

export function loadProvenance(db: Connection, ref: number | null): Provenance | null {
  const row = ref === null ? undefined : db.one(LOAD, ref)
  return row === undefined ? null : JSON.parse(row.told)
}
