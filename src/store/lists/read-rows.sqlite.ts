import { NEW_PAGE, type ReadsAfter } from '../../ledger/reads.ts'
import type { KnownRead, ReadKey } from '../../ledger/read-rows.ts'
import { accountOf } from '../records/record-rows.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { knownRead, READ_COLUMNS, type LoadedRead } from './read-rows.ts'

// The casts keep SQLite from preparing the statement anew each time.
const FIND = new Query<LoadedRead>(`
  SELECT ${READ_COLUMNS} FROM reads AS read LEFT JOIN pages ON pages.ref = read.page
  WHERE read.account = CAST(? AS TEXT) AND read.resource = CAST(? AS TEXT) AND read.id = CAST(? AS TEXT)`)
const SAVE = `
  INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses, page, etag)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, sent_at = excluded.sent_at,
    answered_at = excluded.answered_at, pass = excluded.pass, misses = excluded.misses, page = excluded.page,
    etag = excluded.etag`
// No index is written, and most rows of an answer that changed are written so.
const SAVE_PRINT = 'UPDATE reads SET fingerprint = ?, etag = ? WHERE account = ? AND resource = ? AND id = ?'
const GROW = `
  INSERT INTO list_sizes (account, resource, records) VALUES (:account, :resource, :by)
  ON CONFLICT DO UPDATE SET records = records + :by`

/** What is known of the reads of records, inside the caller's transaction: one by one, because in a file a look costs no round trip. */
export function loadReads(db: Connection, account: string, keys: readonly ReadKey[]): readonly KnownRead[] {
  const found = keys.map(({ id, resource }) => db.one(FIND, accountOf(account, resource), resource, id))
  return found.filter((row) => row !== undefined).map(knownRead)
}

/** Writes what became of reads, after the records that they are of. `page`: the `ref` of the answer's page, where that is new. */
export function saveReads(
  db: Connection,
  account: string,
  { page, reads: { growth, prints, rows } }: { readonly page: number | null; readonly reads: ReadsAfter },
): void {
  for (const { answeredAt, etag, fingerprint, id, misses, page: place, pass, resource, sentAt } of rows) {
    const of = accountOf(account, resource)
    const on = place === NEW_PAGE ? page : place
    db.run(SAVE, of, resource, id, fingerprint, sentAt, answeredAt, pass, misses, on, etag)
  }
  for (const { etag, fingerprint, id, resource } of prints)
    db.run(SAVE_PRINT, fingerprint, etag, accountOf(account, resource), resource, id)
  for (const [resource, by] of growth) db.run(GROW, { account: accountOf(account, resource), resource, by })
}
