import type { LivingMessageStore } from '../ports/living-message-port.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { FIND, livingRow, type LivingRow, SAVE, toLiving } from './living-rows.ts'

const FOUND = new Query<LivingRow>(FIND)
const WRITE = new Query(SAVE)

/** No row is held: of all workers one has claims of a subscription that gathers. */
export function livingStore(db: Database): LivingMessageStore {
  return {
    livingMessage: async (place) => {
      const row = await db.one(FOUND, { ...place })
      return row === undefined ? null : toLiving(row)
    },
    saveLivingMessage: (message) =>
      db.write(async (tx) => {
        await tx.run(WRITE, { ...livingRow(message) })
      }),
  }
}

/** Forgets messages in which nothing was told lately, inside the caller's write transaction; by ctid, which SQLite has not. */
export const DROP_SILENT = new Query(`
  DELETE FROM living_messages WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM living_messages WHERE told_at <= :before ORDER BY told_at LIMIT :limit FOR UPDATE SKIP LOCKED
  ))`)
