import { refuseRelocated, type Relocation } from './relocation-row.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const RELOCATION = new Query<Relocation>('SELECT id, other, state FROM relocation')

export function loadRelocation(db: Connection): Relocation | undefined {
  return db.one(RELOCATION)
}

/** Inside the caller's write transaction. */
export function saveRelocation(db: Connection, { id, other, state }: Relocation): void {
  db.run('DELETE FROM relocation')
  db.run('INSERT INTO relocation VALUES (?, ?, ?)', id, other, state)
}

/** Throws `store_moved` where the store is not the one in use. */
export function refuseRelocatedFile(db: Connection): void {
  refuseRelocated(loadRelocation(db), { kind: 'file', place: db.path })
}
