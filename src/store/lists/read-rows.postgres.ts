import type { PageRow } from './page-rows.ts'
import type { PageWrite } from '../ports/list-port.ts'
import { BatchReads, NEW_PAGE, type ReadKey, type ReadRow } from './batch-reads.postgres.ts'
import { jsonRows } from '../server/json-rows.ts'
import { rowOfKey, WANTED } from '../server/key-lookup.ts'
import type { Look, Part } from '../server/together.ts'

export interface LoadedRead extends ReadRow {
  readonly pageSentAt: number | null
  readonly pageAnsweredAt: number | null
  readonly pagePass: number | null
}

const PAGE = 'SELECT * FROM pages WHERE account = :account AND resource = :resource AND skip = :skip'
const READ = `
  SELECT read.account, read.resource, read.id, fingerprint, read.etag, read.sent_at AS "sentAt", read.answered_at AS "answeredAt",
    read.pass, misses, page, pages.sent_at AS "pageSentAt", pages.answered_at AS "pageAnsweredAt", pages.pass AS "pagePass"`
const OF_KEYS = `${READ}
  FROM unnest(:accounts::text[], :resources::text[], :ids::text[]) AS wanted (account, resource, id)
    JOIN ${rowOfKey('reads', WANTED)} AS read ON true LEFT JOIN pages ON pages.ref = page`
/** Together with those of `OF_KEYS`, which may be the same. */
const ON_PAGE = `${READ}
  FROM (${PAGE}) AS pages JOIN reads AS read ON page = pages.ref AND misses IS NOT NULL`

/** The page that an answer is, as it is known. Its account is held, as it is for `knownReads`. */
export function knownPage(account: string, page: PageWrite | null): Look<PageRow> | null {
  if (page === null) return null
  return { sql: PAGE, values: { account, resource: page.resource, skip: page.skip } }
}

/** What is known of the reads of records. */
export function knownReads(keys: readonly ReadKey[]): Look<LoadedRead> | null {
  if (keys.length === 0) return null
  const values = {
    accounts: keys.map(({ account }) => account),
    resources: keys.map(({ resource }) => resource),
    ids: keys.map(({ id }) => id),
  }
  return { sql: OF_KEYS, values }
}

/** Of those on the page that an answer shows. */
export function readsOnPage(account: string, page: PageWrite | null): Look<LoadedRead> | null {
  if (page?.kind !== 'shown') return null
  return { sql: ON_PAGE, values: { account, resource: page.resource, skip: page.skip } }
}

/** Of rows that may be named twice. */
export function readsOf(loaded: readonly LoadedRead[]): BatchReads {
  const pages = loaded.flatMap(({ page, pageAnsweredAt: answeredAt, pagePass: pass, pageSentAt: sentAt }) =>
    page === null || answeredAt === null || pass === null || sentAt === null
      ? []
      : [[page, { sentAt, answeredAt, pass }] as const],
  )
  return new BatchReads(loaded.map(readRow), new Map(pages))
}

function readRow({
  account,
  answeredAt,
  etag,
  fingerprint,
  id,
  misses,
  page,
  pass,
  resource,
  sentAt,
}: LoadedRead): ReadRow {
  return { account, resource, id, fingerprint, etag, sentAt, answeredAt, pass, misses, page }
}

const ADD_PAGE = `
  page AS (
    INSERT INTO pages (account, resource, skip, rows, print, rules, certain_id_field, digest, etag, sent_at, answered_at, pass)
    VALUES (:account, :resource, :skip, :rows, :print, :rules, :certainIdField, :digest, :etag, :sentAt, :answeredAt, :pass)
    RETURNING ref
  )`
const CHANGE_PAGE = `
  page AS (
    UPDATE pages SET rows = :rows, print = :print, rules = :rules, certain_id_field = :certainIdField, digest = :digest,
      etag = :etag, sent_at = :sentAt, answered_at = :answeredAt, pass = :pass
    WHERE ref = :ref RETURNING ref
  )`
const DROP_PAGE = 'page AS (DELETE FROM pages WHERE ref = :ref)'

/** The page of a batch from now on. null: it has none. */
export function pageRow({ page }: BatchReads): Part | null {
  if (page === null) return null
  const { columns, ref } = page
  if (columns === null) return { sql: DROP_PAGE, values: { ref } }
  return { sql: ref === NEW_PAGE ? ADD_PAGE : CHANGE_PAGE, values: { ...columns, ref } }
}

const DOUBT = 'doubted AS (UPDATE pages SET digest = NULL WHERE ref = ANY(:refs::bigint[]) AND digest IS NOT NULL)'

/** Other pages whose next answer is parsed, whatever its bytes. */
export function doubtedPages({ doubted }: BatchReads): Part | null {
  return doubted.length === 0 ? null : { sql: DOUBT, values: { refs: doubted } }
}

const saveReads = (page: string): string => `
  read AS (
    INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses, page, etag)
    SELECT account, resource, id, fingerprint, "sentAt", "answeredAt", pass, misses, ${page}, etag
    FROM json_to_recordset(:rows::json) AS row (account text, resource text, id text, fingerprint text, "sentAt" bigint,
      "answeredAt" bigint, pass bigint, misses bigint, page bigint, etag text)
    ON CONFLICT (account, resource, id) DO UPDATE SET fingerprint = excluded.fingerprint, sent_at = excluded.sent_at,
      answered_at = excluded.answered_at, pass = excluded.pass, misses = excluded.misses, page = excluded.page,
      etag = excluded.etag
  )`
const SAVE = saveReads('page')
/** Together with the new page. */
const SAVE_ON_NEW_PAGE = saveReads(`CASE WHEN page = ${NEW_PAGE} THEN (SELECT ref FROM page) ELSE page END`)

/** Reads that a batch has changed, together with its page and records. null: none. */
export function readRows({ changed, page }: BatchReads): Part | null {
  if (changed.length === 0) return null
  const rows = jsonRows(changed.map((row) => ({ ...row })))
  return { sql: page?.ref === NEW_PAGE ? SAVE_ON_NEW_PAGE : SAVE, values: { rows } }
}
