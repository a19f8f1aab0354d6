import { BatchReads, NEW_PAGE, type PageColumns, type ReadKey, type ReadRow } from './batch-reads.ts'
import type { Transaction } from './database.ts'
import { jsonRows } from './json-rows.ts'
import { Query } from './query.ts'

interface LoadedRow extends ReadRow {
  readonly pageSentAt: number | null
  readonly pageAnsweredAt: number | null
  readonly pagePass: number | null
}

const LOAD = new Query<LoadedRow>(`
  WITH wanted AS (
    SELECT * FROM unnest(:accounts::text[], :resources::text[], :ids::text[]) AS key (account, resource, id)
    UNION SELECT account, resource, id FROM reads
    WHERE account = :account AND resource = :resource AND page = :page AND misses IS NOT NULL
  )
  SELECT reads.account, reads.resource, reads.id, fingerprint, reads.etag, reads.sent_at AS "sentAt",
    reads.answered_at AS "answeredAt", reads.pass, misses, page, pages.sent_at AS "pageSentAt",
    pages.answered_at AS "pageAnsweredAt", pages.pass AS "pagePass"
  FROM wanted JOIN reads USING (account, resource, id) LEFT JOIN pages ON pages.ref = page`)

/** The page whose records are read. */
export interface ReadPage {
  readonly account: string
  readonly resource: string
  readonly ref: number
}

/** What is known of the reads of records, and of those on a page. Their account is held. */
export async function loadReads(tx: Transaction, keys: readonly ReadKey[], page: ReadPage | null): Promise<BatchReads> {
  if (keys.length === 0 && page === null) return new BatchReads([], new Map())
  const loaded = await tx.all(LOAD, {
    accounts: keys.map(({ account }) => account),
    resources: keys.map(({ resource }) => resource),
    ids: keys.map(({ id }) => id),
    account: page?.account ?? null,
    resource: page?.resource ?? null,
    page: page?.ref ?? null,
  })
  const pages = loaded.flatMap(({ page: ref, pageAnsweredAt: answeredAt, pagePass: pass, pageSentAt: sentAt }) =>
    ref === null || answeredAt === null || pass === null || sentAt === null
      ? []
      : [[ref, { sentAt, answeredAt, pass }] as const],
  )
  const rows = loaded.map(({ pageAnsweredAt: _, pagePass: __, pageSentAt: ___, ...row }) => row)
  return new BatchReads(rows, new Map(pages))
}

const ADD_PAGE = new Query<{ ref: number }>(`
  INSERT INTO pages (account, resource, skip, rows, print, rules, certain_id_field, digest, etag, sent_at, answered_at, pass)
  VALUES (:account, :resource, :skip, :rows, :print, :rules, :certainIdField, :digest, :etag, :sentAt, :answeredAt, :pass)
  RETURNING ref`)
const CHANGE_PAGE = new Query(`
  UPDATE pages SET rows = :rows, print = :print, rules = :rules, certain_id_field = :certainIdField, digest = :digest,
    etag = :etag, sent_at = :sentAt, answered_at = :answeredAt, pass = :pass
  WHERE ref = :ref`)
const DROP_PAGE = new Query('DELETE FROM pages WHERE ref = :ref')
const DOUBT = new Query('UPDATE pages SET digest = NULL WHERE ref = ANY(:doubted::bigint[]) AND digest IS NOT NULL')
const SAVE = new Query(`
  INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses, page, etag)
  SELECT account, resource, id, fingerprint, "sentAt", "answeredAt", pass, misses, page, etag
  FROM json_to_recordset(:rows::json) AS row (account text, resource text, id text, fingerprint text, "sentAt" bigint,
    "answeredAt" bigint, pass bigint, misses bigint, page bigint, etag text)
  ON CONFLICT (account, resource, id) DO UPDATE SET fingerprint = excluded.fingerprint, sent_at = excluded.sent_at,
    answered_at = excluded.answered_at, pass = excluded.pass, misses = excluded.misses, page = excluded.page,
    etag = excluded.etag`)

/** Writes what a batch has changed, after its records. */
export async function saveReads(tx: Transaction, reads: BatchReads): Promise<void> {
  const ref = reads.page === null ? null : await savePage(tx, reads.page)
  const { changed, doubted } = reads
  if (doubted.length > 0) await tx.run(DOUBT, { doubted })
  if (changed.length === 0) return
  const rows = changed.map(({ page, ...row }) => ({ ...row, page: page === NEW_PAGE ? ref : page }))
  await tx.run(SAVE, { rows: jsonRows(rows) })
}

/** Returns its `ref`. */
async function savePage(
  tx: Transaction,
  { columns, ref }: { readonly ref: number; readonly columns: PageColumns | null },
): Promise<number | null> {
  if (columns === null) await tx.run(DROP_PAGE, { ref })
  else if (ref === NEW_PAGE) return (await tx.one(ADD_PAGE, { ...columns }))?.ref ?? null
  else await tx.run(CHANGE_PAGE, { ref, ...columns })
  return ref
}
