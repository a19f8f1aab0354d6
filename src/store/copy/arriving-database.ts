import { ShipbellError } from '../../errors.ts'
import type { Relocation } from './relocation-row.ts'
import { COPIED_TABLES, ONE_ROW_TABLES } from './copied-tables.ts'
import type { ArrivingStore, WritableRows } from './copy-ports.ts'
import type { Database, Transaction } from '../server/database.ts'
import { passTurns, type LaneOfRow } from '../deliveries/lane-rows.postgres.ts'
import { Query } from '../server/query.ts'
import { forgetRelocation, loadRelocation, saveRelocation } from './relocation-row.postgres.ts'
import { DatabaseRows } from './database-rows.ts'
import { openForCopy, whileHeld } from './hold-database.ts'

const USED = new Query<{ used: boolean }>(
  `SELECT ${COPIED_TABLES.filter((table) => !ONE_ROW_TABLES.includes(table))
    .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
    .join(' OR ')} AS used`,
)
const EMPTY = `TRUNCATE ${COPIED_TABLES.join(', ')}, claims, paces`
// Earlier versions wrote claims into a file's rows; whoever held them is gone.
const END_CLAIMS = new Query<LaneOfRow>(`
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL, turn = CASE WHEN state IN ('pending', 'held') THEN turn END
  WHERE claimed_by IS NOT NULL RETURNING subscription, lane`)
/** Whoever numbers rows goes on behind them. */
const NUMBERED = new Query<{ table: string; column: string }>(`
  SELECT relname AS "table", attname AS "column" FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = current_schema()::regnamespace AND attidentity <> '' AND NOT attisdropped`)

/** The database that a store is to be in, which has nothing but a schema yet. */
export class ArrivingDatabase implements ArrivingStore {
  readonly place: string
  readonly #db: Database

  private constructor(db: Database) {
    this.place = db.place
    this.#db = db
  }

  /** Brings its schema up to date. Throws `store_unusable`, `store_newer`. */
  static async open(url: string): Promise<ArrivingDatabase> {
    return new ArrivingDatabase(await openForCopy(url))
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
      for (const { query, values } of passTurns(await tx.all(END_CLAIMS))) await tx.run(query, values)
      await numberOn(tx)
      await tx.script(switchTriggers('ENABLE'))
      await tx.script(`ANALYZE ${COPIED_TABLES.join(', ')}`)
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

/** What is derived of rows comes with them. */
function switchTriggers(how: 'DISABLE' | 'ENABLE'): string {
  return COPIED_TABLES.map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER`).join(';')
}

async function numberOn(tx: Transaction): Promise<void> {
  for (const { column, table } of await tx.all(NUMBERED)) {
    const sequence = `pg_get_serial_sequence('${table}', '${column}')`
    await tx.one(
      new Query(`SELECT setval(${sequence}, max(${column})) FROM ${table} HAVING max(${column}) IS NOT NULL`),
    )
  }
}
