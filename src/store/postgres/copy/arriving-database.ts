import { ShipbellError } from '../../../errors.ts'
import type { Relocation } from '../../common/relocation.ts'
import { COPIED_TABLES, ONE_ROW_TABLES } from '../../copy/copied-tables.ts'
import type { ArrivingStore, WritableRows } from '../../copy/copy-ports.ts'
import { Database, type Transaction } from '../database.ts'
import { migrate } from '../migrate.ts'
import { Query } from '../query.ts'
import { forgetRelocation, loadRelocation, saveRelocation } from '../relocation-row.ts'
import { DatabaseRows } from './database-rows.ts'
import { holdDatabase, refuseWorkers } from './hold-database.ts'

const USED = new Query<{ used: boolean }>(
  `SELECT ${COPIED_TABLES.filter((table) => !ONE_ROW_TABLES.includes(table))
    .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
    .join(' OR ')} AS used`,
)
const EMPTY = `TRUNCATE ${COPIED_TABLES.join(', ')}, paces`
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
    await using opening = new AsyncDisposableStack()
    const db = opening.use(new Database({ url, pool: 1 }))
    await migrate(db)
    opening.move()
    return new ArrivingDatabase(db)
  }

  async stateFor(id: string): Promise<'empty' | 'arriving'> {
    await refuseWorkers(this.#db, this.place)
    return await this.#db.read(async (tx) => await this.#stateIn(tx, id))
  }

  async receive<T>(from: Omit<Relocation, 'state'>, work: (rows: WritableRows) => Promise<T>): Promise<T> {
    return await this.#db.write(async (tx) => {
      await holdDatabase(tx, this.place)
      // Somebody may have made something of it since it was looked at.
      await this.#stateIn(tx, from.id)
      await tx.script(EMPTY)
      await tx.script(switchTriggers('DISABLE'))
      const result = await work(new DatabaseRows(tx))
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

  async #stateIn(tx: Transaction, id: string): Promise<'empty' | 'arriving'> {
    const known = await loadRelocation(tx)
    if (known?.state === 'arriving' && known.id === id) return 'arriving'
    if (known === undefined && (await tx.one(USED))?.used === false) return 'empty'
    const problem = `The database ${this.place} holds a store already: name an empty one, or empty it first (DROP SCHEMA public CASCADE; CREATE SCHEMA public).`
    throw new ShipbellError('store_unusable', problem)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db[Symbol.asyncDispose]()
  }
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
