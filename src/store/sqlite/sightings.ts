import type { Sighting } from '../../model/sighting.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const ADD = new Query<{ ref: number }>('INSERT INTO sightings (told) VALUES (?) RETURNING ref')
const LOAD = new Query<{ told: string }>('SELECT told FROM sightings WHERE ref = ?')

/** Stores the sighting of a commit once, and only when an event needs it. */
export class SightingWriter {
  readonly #db: Connection
  readonly #sighting: Sighting | undefined
  #ref: number | null = null

  constructor(db: Connection, sighting: Sighting | undefined) {
    this.#db = db
    this.#sighting = sighting
  }

  /** null where the commit says nothing of how it came to know. */
  ref(): number | null {
    if (this.#sighting !== undefined) this.#ref ??= this.#db.one(ADD, JSON.stringify(this.#sighting))?.ref ?? null
    return this.#ref
  }
}

export function loadSighting(db: Connection, ref: number | null): Sighting | null {
  const row = ref === null ? undefined : db.one(LOAD, ref)
  return row === undefined ? null : JSON.parse(row.told)
}
