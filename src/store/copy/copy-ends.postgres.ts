import { loadSteady } from '../accounts/wait-rows.postgres.ts'
import { ShipbellError } from '../../errors.ts'
import type { CopiedTable } from '../tables/tables.ts'
import { isLockTimeout } from '../server/database-failure.ts'
import { Database, type Transaction } from '../server/database.ts'
import { migrate } from '../server/migrate.ts'
import { Query } from '../server/query.ts'
import { refuseRelocated, type Relocation } from './relocation-row.ts'
import {
  type ArrivingStore,
  type LeavingStore,
  type Row,
  type StoredRows,
  TABLE_NAMES,
  USED_SQL,
  type Value,
  type WritableRows,
} from './copy-store.ts'
import { deliveryStore } from '../deliveries/delivery-store.postgres.ts'
import { forgetRelocation, loadRelocation, saveRelocation } from './relocation-row.postgres.ts'
import { QUEUE_ALL } from '../search/search-index.ts'
import { RENEW_SERIES } from '../endpoints/sync-endpoints.postgres.ts'
import { workerStore } from '../server/worker-store.ts'
import { type LaneOfRow, passTurns } from '../deliveries/lane-rows.postgres.ts'

/** Beside what is copied: who works on the store, and what that leaves. */
const OTHERS = [
  'workers',
  'leases',
  'in_force',
  'claims',
  'paces',
  'relocation',
  'series_life',
  'search_index',
  'search_queue',
]
const ALL_TABLES = [...TABLE_NAMES, ...OTHERS]

/** To count or to sort a large table takes its time. */
const ANSWER_TIMEOUT_MS = 600_000
/** The other end of a copy is waited for; but a machine that vanished in its middle must not hold the store for ever. */
const PATIENTLY = `SET LOCAL idle_in_transaction_session_timeout = '1h'; SET LOCAL lock_timeout = '1s'`
const HOLD = `LOCK TABLE ${ALL_TABLES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`
const LIVE = new Query<{ command: string; host: string; pid: number }>(
  'SELECT command, host, pid FROM workers WHERE NOT has_expired(workers) ORDER BY since, id',
)

/**
 * A transaction in which nobody else writes to the store and no worker joins. `work` may be called again. Throws `store_locked` where
 * anybody works on the store.
 */
async function whileHeld<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
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
async function refuseWorkers(tx: Pick<Transaction, 'all'>, place: string): Promise<void> {
  const live = await tx.all(LIVE)
  if (live.length === 0) return
  const who = live.map(({ command, host, pid }) => `process ${pid} on ${host} (${command})`).join(', ')
  throw new ShipbellError('store_locked', `The store ${place} is in use by ${who}: stop all of them first.`)
}

const LEAVE = new Query(`UPDATE relocation SET state = 'left'`)
const REFUSE = ALL_TABLES.map(
  (table) => `
  CREATE OR REPLACE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`,
).join(';')

const USED = new Query<{ used: boolean }>(USED_SQL)
const EMPTY = `TRUNCATE ${TABLE_NAMES.join(', ')}, claims, paces, search_index, search_queue`
// Earlier versions wrote claims into a file's rows; whoever held them is gone.
const END_CLAIMS = new Query<LaneOfRow>(`
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL, turn = CASE WHEN state IN ('pending', 'held') THEN turn END
  WHERE claimed_by IS NOT NULL RETURNING subscription, lane`)
/** Whoever numbers rows goes on behind them. */
const NUMBERED = new Query<{ table: string; column: string }>(`
  SELECT relname AS "table", attname AS "column" FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = current_schema()::regnamespace AND attidentity <> '' AND NOT attisdropped`)

/** A database that a store leaves, or that it is to be in: then it has nothing but a schema yet. No worker works on it. */
export class DatabaseEnd implements LeavingStore, ArrivingStore {
  readonly place: string
  readonly #db: Database

  private constructor(db: Database) {
    this.place = db.place
    this.#db = db
  }

  /** For one long transaction. Brings its schema up to date. Throws `store_unusable`, `store_newer`. */
  static async open(url: string): Promise<DatabaseEnd> {
    await using opening = new AsyncDisposableStack()
    const db = opening.use(new Database({ url, pool: 1, answerTimeoutMs: ANSWER_TIMEOUT_MS }))
    await migrate(db)
    opening.move()
    return new DatabaseEnd(db)
  }

  async prepare({ id, to }: { readonly id: string; readonly to: string }): Promise<Relocation> {
    const db = this.#db
    const known = await loadRelocation(db)
    if (known?.state === 'left' && known.other === to) return known
    refuseRelocated(known, { kind: 'database', place: this.place })
    await refuseWorkers(db, this.place)
    const { aheadMs } = await loadSteady(db)
    const { now } = await workerStore(db).survey()
    await deliveryStore(db).recoverClaims({ alive: 'workers', now: now + aheadMs })
    const relocation: Relocation = { id: known?.id ?? id, other: to, state: 'leaving' }
    await db.write(async (tx) => await saveRelocation(tx, relocation))
    return relocation
  }

  async leave<T>(work: (rows: StoredRows) => Promise<T>): Promise<T> {
    return await whileHeld(this.#db, async (tx) => {
      const result = await work(new DatabaseRows(tx))
      // What was marked before refuses this, too.
      const isLeft = (await loadRelocation(tx))?.state === 'left'
      if (!isLeft) {
        await tx.run(LEAVE)
        await tx.script(REFUSE)
      }
      return result
    })
  }

  async awaits(id: string): Promise<boolean> {
    return await awaitsIn(this.#db, id)
  }

  async receive<T>(from: Omit<Relocation, 'state'>, work: (rows: WritableRows) => Promise<T>): Promise<T> {
    return await whileHeld(this.#db, async (tx) => {
      await this.#refuseUsed(tx, from.id)
      await tx.script(EMPTY)
      await tx.script(switchTriggers('DISABLE'))
      const result = await work(new DatabaseRows(tx))
      await tx.script(QUEUE_ALL)
      for (const { query, values } of passTurns(await tx.all(END_CLAIMS))) await tx.run(query, values)
      await numberOn(tx)
      await tx.script(switchTriggers('ENABLE'))
      await tx.run(RENEW_SERIES)
      await tx.script(`ANALYZE ${TABLE_NAMES.join(', ')}`)
      await saveRelocation(tx, { ...from, state: 'arriving' })
      return result
    })
  }

  async arrive(): Promise<void> {
    await this.#db.write(forgetRelocation)
  }

  async #refuseUsed(tx: Transaction, id: string): Promise<void> {
    if (await awaitsIn(tx, id)) return
    if ((await loadRelocation(tx)) === undefined && (await tx.one(USED))?.used === false) return
    const problem = `The database ${this.place} holds a store already: name an empty one.`
    throw new ShipbellError('store_unusable', problem)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db[Symbol.asyncDispose]()
  }
}

async function awaitsIn(tx: Pick<Transaction, 'one'>, id: string): Promise<boolean> {
  const known = await loadRelocation(tx)
  return known?.state === 'arriving' && known.id === id
}

/** Triggers rest, because what is derived of rows comes with them. */
function switchTriggers(how: 'DISABLE' | 'ENABLE'): string {
  return TABLE_NAMES.map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER`).join(';')
}

async function numberOn(tx: Transaction): Promise<void> {
  for (const { column, table } of await tx.all(NUMBERED)) {
    const sequence = `pg_get_serial_sequence('${table}', '${column}')`
    await tx.one(
      new Query(`SELECT setval(${sequence}, max(${column})) FROM ${table} HAVING max(${column}) IS NOT NULL`),
    )
  }
}

const FETCH_FIRST = 20
const FETCH_MOST = 1_000
const CLOSE = new Query('CLOSE copied_rows')

/** What one answer is to take, as far as the answer before it can tell. */
const BATCH_BYTES = 1_000_000

/** Within one transaction. */
class DatabaseRows implements WritableRows {
  readonly #tx: Transaction

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  async count({ name }: CopiedTable): Promise<number> {
    return (await this.#tx.one(new Query<{ amount: number }>(`SELECT count(*) AS amount FROM ${name}`)))?.amount ?? 0
  }

  /** All rows in the order of the key: the other kind of store takes them so for less. */
  async *batches({ columns, key, name, names }: CopiedTable): AsyncGenerator<readonly Row[], void> {
    const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`
    await this.#tx.run(new Query(`DECLARE copied_rows NO SCROLL CURSOR FOR SELECT ${names} FROM ${name}${order}`))
    for (let amount = FETCH_FIRST; ;) {
      const found = await this.#tx.all(new Query<Readonly<Record<string, Value>>>(`FETCH ${amount} FROM copied_rows`))
      const rows = found.map((row) => Object.keys(columns).map((column) => row[column] ?? null))
      if (rows.length > 0) yield rows
      if (rows.length < amount) break
      const room = Math.floor((BATCH_BYTES * amount) / sizeOf(rows))
      amount = Math.max(1, Math.min(2 * amount, room, FETCH_MOST))
    }
    await this.#tx.run(CLOSE)
  }

  async write({ columns, name, names }: CopiedTable, rows: readonly Row[]): Promise<void> {
    const values = Object.entries(columns).map(([column, { type }]) => `:${column}::${type}[]`)
    await this.#tx.run(
      new Query(`INSERT INTO ${name} (${names}) SELECT * FROM unnest(${values.join(', ')})`),
      Object.fromEntries(Object.keys(columns).map((column, at) => [column, rows.map((row) => row[at] ?? null)])),
    )
  }
}

function sizeOf(rows: readonly Row[]): number {
  const sizes = rows.flat().map((value) => (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8))
  return sizes.reduce((sum, size) => sum + size, 1)
}
