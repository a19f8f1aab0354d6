import { refuseRelocated, type Relocation } from './relocation-row.ts'
import type { LeavingStore, StoredRows } from './copy-ports.ts'
import type { Database } from '../server/database.ts'
import { deliveryStore } from '../deliveries/delivery-store.postgres.ts'
import { Query } from '../server/query.ts'
import { loadRelocation, saveRelocation } from './relocation-row.postgres.ts'
import { workerStore } from '../server/worker-store.ts'
import { DatabaseRows } from './database-rows.ts'
import { ALL_TABLES, openForCopy, refuseWorkers, whileHeld } from './hold-database.ts'

const LEFT = new Query(`UPDATE relocation SET state = 'left'`)
const REFUSE = ALL_TABLES.map(
  (table) => `
  CREATE OR REPLACE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`,
).join(';')

/** A store in a database that no worker works on. */
export class LeavingDatabase implements LeavingStore {
  readonly place: string
  readonly #db: Database

  private constructor(db: Database) {
    this.place = db.place
    this.#db = db
  }

  /** Brings its schema up to date. Throws `store_unusable`, `store_newer`. */
  static async open(url: string): Promise<LeavingDatabase> {
    return new LeavingDatabase(await openForCopy(url))
  }

  async prepare({ id, to }: { readonly id: string; readonly to: string }): Promise<Relocation> {
    const db = this.#db
    const known = await loadRelocation(db)
    if (known?.state === 'left' && known.other === to) return known
    refuseRelocated(known, { kind: 'database', place: this.place })
    await refuseWorkers(db, this.place)
    const { aheadMs } = await deliveryStore(db).steadyTime()
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
        await tx.run(LEFT)
        await tx.script(REFUSE)
      }
      return result
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db[Symbol.asyncDispose]()
  }
}
