import { ShipbellError } from '../../errors.ts'
import { COPIED_TABLES } from './copied-tables.ts'
import { isLockTimeout } from '../server/database-failure.ts'
import { Database, type Transaction } from '../server/database.ts'
import { migrate } from '../server/migrate.ts'
import { Query } from '../server/query.ts'

/** Beside what is copied: who works on the store, and what that leaves. */
const OTHERS = ['workers', 'leases', 'in_force', 'claims', 'paces', 'relocation'] as const
export const ALL_TABLES = [...COPIED_TABLES, ...OTHERS] as const

/** To count or to sort a large table takes its time. */
const ANSWER_TIMEOUT_MS = 600_000
/** The other end of a copy is waited for; but a machine that vanished in its middle must not hold the store for ever. */
const PATIENTLY = `SET LOCAL idle_in_transaction_session_timeout = '1h'; SET LOCAL lock_timeout = '1s'`
const HOLD = `LOCK TABLE ${ALL_TABLES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`
const LIVE = new Query<{ command: string; host: string; pid: number }>(
  'SELECT command, host, pid FROM workers WHERE NOT has_expired(workers) ORDER BY since, id',
)

/** For one long transaction. Brings the schema up to date. Throws `store_unusable`, `store_newer`. */
export async function openForCopy(url: string): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  const db = opening.use(new Database({ url, pool: 1, answerTimeoutMs: ANSWER_TIMEOUT_MS }))
  await migrate(db)
  opening.move()
  return db
}

/**
 * A transaction in which nobody else writes to the store and no worker joins. `work` may be called again. Throws `store_locked` where
 * anybody works on the store.
 */
export async function whileHeld<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await db.write(async (tx) => {
      await tx.script(`${PATIENTLY}; ${HOLD}`)
      await refuseWorkers(tx, db.place)
      return await work(tx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const problem = `The store ${db.place} is in use by somebody who writes to it: wait for its end, or stop it first.`
    throw new ShipbellError('store_locked', problem, { cause: error })
  }
}

/** Throws `store_locked` where a worker lives. */
export async function refuseWorkers(tx: Pick<Transaction, 'all'>, place: string): Promise<void> {
  const live = await tx.all(LIVE)
  if (live.length === 0) return
  const who = live.map(({ command, host, pid }) => `process ${pid} on ${host} (${command})`).join(', ')
  throw new ShipbellError('store_locked', `The store ${place} is in use by ${who}: stop all of them first.`)
}
