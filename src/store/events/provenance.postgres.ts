import type { Provenance } from '../../model/provenance.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const PROVENANCE = new Query<{ told: string }>('SELECT told FROM sightings WHERE ref = :ref')

export async function loadProvenance(tx: Pick<Transaction, 'one'>, ref: number | null): Promise<Provenance | null> {
  const row = ref === null ? undefined : await tx.one(PROVENANCE, { ref })
  return row === undefined ? null : JSON.parse(row.told)
}
