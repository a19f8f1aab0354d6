import { ShipbellError } from '../../errors.ts'
import type { Lease } from '../ports/worker-port.ts'
import type { Transaction } from './database.ts'
import { PAST } from './past.ts'
import { Query } from './query.ts'

/** Whoever ends the lease waits for the transaction, or the transaction finds it ended. */
const HELD = Query.frequent<{ held: number }>(`
  SELECT 1 AS held FROM leases WHERE unit = :unit AND worker = :worker AND epoch = :epoch AND ${PAST} = :past FOR SHARE`)

/** Throws `lease_lost` unless the lease is held, and stays so until the transaction ends. */
export async function assertHeld(tx: Transaction, { epoch, past, unit, worker }: Lease): Promise<void> {
  if ((await tx.one(HELD, { unit, worker, epoch, past })) !== undefined) return
  throw new ShipbellError('lease_lost', 'Another worker has taken over: what this one read is left to that one.')
}
