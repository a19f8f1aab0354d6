import { refuseRelocated, type Relocation } from './relocation-row.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const RELOCATION = new Query<Relocation>('SELECT id, other, state FROM relocation')
const FORGET = new Query('DELETE FROM relocation')
const SAVE = new Query('INSERT INTO relocation (id, other, state) VALUES (:id, :other, :state)')

export async function loadRelocation(tx: Pick<Transaction, 'one'>): Promise<Relocation | undefined> {
  return await tx.one(RELOCATION)
}

export async function saveRelocation(tx: Transaction, { id, other, state }: Relocation): Promise<void> {
  await tx.run(FORGET)
  await tx.run(SAVE, { id, other, state })
}

/** The store is a usual one. */
export async function forgetRelocation(tx: Transaction): Promise<void> {
  await tx.run(FORGET)
}

/** Throws `store_moved` where the store is not the one in use. */
export async function refuseRelocatedDatabase(db: Database): Promise<void> {
  refuseRelocated(await loadRelocation(db), { kind: 'database', place: db.place })
}
