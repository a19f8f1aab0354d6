import type { Documents, EventRow } from '../events/event-rows.ts'
import type { Database, Transaction } from '../server/database.ts'
import { loadDocuments } from './documents.postgres.ts'

/** Where events are read: a transaction, and the database whose documents are kept. */
export interface EventSource {
  readonly db: Database
  readonly tx: Transaction
}

/** The documents of events, by one statement. */
export async function documentsOfEvents(
  { db, tx }: Pick<EventSource, 'db'> & { readonly tx: Pick<Transaction, 'all'> },
  rows: readonly EventRow[],
): Promise<Documents> {
  return await loadDocuments(
    db,
    tx,
    rows.flatMap((row) => [row.object_body, row.before_body]),
  )
}
