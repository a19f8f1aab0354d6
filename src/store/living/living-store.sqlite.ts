import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { LivingMessageStore } from '../ports/living-message-port.ts'
import { FIND, livingRow, type LivingRow, SAVE, toLiving } from './living-rows.ts'

const FOUND = new Query<LivingRow>(FIND)

/** Nothing is held, because SQLite has one writer at a time. */
export function livingStore(db: Connection): LivingMessageStore {
  return {
    livingMessage: (place) =>
      db.look(() => {
        const row = db.one(FOUND, { ...place })
        return row === undefined ? null : toLiving(row)
      }),
    saveLivingMessage: (message) =>
      db.write(() => {
        db.run(SAVE, { ...livingRow(message) })
      }),
  }
}

/** Forgets messages in which nothing was told lately, inside the caller's write transaction. */
export const DROP_SILENT = `
  DELETE FROM living_messages WHERE (subscription, account, shipment) IN (
    SELECT subscription, account, shipment FROM living_messages INDEXED BY living_messages_told
    WHERE told_at <= :before ORDER BY told_at LIMIT CAST(:limit AS INTEGER)
  )`
