import { ShipbellError } from '../../../errors.ts'
import { COPIED_TABLES } from '../../copy/copied-tables.ts'
import type { Transaction } from '../database.ts'
import { Query } from '../query.ts'

/** Beside what is copied: who works on the store, and what that leaves. */
const OTHERS = ['workers', 'leases', 'in_force', 'paces', 'relocation'] as const
export const ALL_TABLES = [...COPIED_TABLES, ...OTHERS] as const

/** The other end of a copy is waited for; but whoever copied may stand still for ever. */
const PATIENTLY = `SET LOCAL idle_in_transaction_session_timeout = '10min'; SET LOCAL lock_timeout = '10s'`
const HOLD = `LOCK TABLE ${ALL_TABLES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`
const LIVE = new Query<{ command: string; host: string; pid: number }>(
  'SELECT command, host, pid FROM workers WHERE NOT has_expired(workers) ORDER BY since, id',
)

/** Nobody writes to the store until the transaction has ended, and no worker joins. Throws `store_locked` where one lives. */
export async function holdDatabase(tx: Transaction, place: string): Promise<void> {
  await tx.script(`${PATIENTLY}; ${HOLD}`)
  await refuseWorkers(tx, place)
}

/** Throws `store_locked` where a worker lives. */
export async function refuseWorkers(tx: Pick<Transaction, 'all'>, place: string): Promise<void> {
  const live = await tx.all(LIVE)
  if (live.length === 0) return
  const who = live.map(({ command, host, pid }) => `process ${pid} on ${host} (${command})`).join(', ')
  throw new ShipbellError('store_locked', `The store ${place} is in use by ${who}: stop all of them first.`)
}
