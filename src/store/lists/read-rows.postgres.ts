import { NEW_PAGE, recordsIn, type ReadsAfter } from '../../ledger/reads.ts'
import type { ReadAnswer } from '../../ledger/read-rows.ts'
import type { PageWrite, ShownPage } from '../ports/list-port.ts'
import { accountOf } from '../records/record-rows.ts'
import { jsonRows } from '../server/json-rows.ts'
import { rowOfKey, WANTED } from '../server/key-lookup.ts'
import type { Look, Part } from '../server/together.ts'
import { READ_COLUMNS, type LoadedRead } from './read-rows.ts'

const OF_RECORDS = `
  SELECT ${READ_COLUMNS}
  FROM unnest(:accounts::text[], :resources::text[], :ids::text[], :stay::boolean[]) AS wanted (account, resource, id, may_stay)
    JOIN ${rowOfKey('reads', WANTED)} AS read ON true LEFT JOIN pages ON pages.ref = page`
const IS_ANSWERED = 'pages.account = :account AND pages.resource = :resource AND pages.skip = :skip'
const ON_PAGE = `FROM pages JOIN reads AS read ON read.page = pages.ref AND misses IS NOT NULL WHERE ${IS_ANSWERED}`
const OF_PAGE = `
  ${OF_RECORDS} WHERE (may_stay AND ${IS_ANSWERED}) IS NOT TRUE
  UNION ALL SELECT ${READ_COLUMNS} ${ON_PAGE} AND read.id NOT IN (SELECT unnest(:staying::text[]))`
const MEMBERS = `SELECT json_agg(read.id) AS ids ${ON_PAGE}`

/**
 * The reads that an answer is judged by: of records that stay on its page none. Their account is held. The server chooses them, because
 * page and reads are looked at by one statement.
 */
export function wantedReads(account: string, answer: ReadAnswer, page: PageWrite | null): Look<LoadedRead> | null {
  const wanted = recordsIn(answer)
  const values = {
    accounts: wanted.map(({ resource }) => accountOf(account, resource)),
    resources: wanted.map(({ resource }) => resource),
    ids: wanted.map(({ id }) => id),
    stay: wanted.map(({ mayStay }) => mayStay),
  }
  if (page?.kind !== 'shown') return wanted.length === 0 ? null : { sql: OF_RECORDS, values }
  return { sql: OF_PAGE, values: { ...values, ...placeOf(account, page), staying: page.rows === 0 ? [] : page.ids } }
}

/** The ids of the records on a page that an answer shows. */
export function membersOf(account: string, page: PageWrite | null): Look<{ ids: readonly string[] | null }> | null {
  return page?.kind === 'shown' ? { sql: MEMBERS, values: placeOf(account, page) } : null
}

function placeOf(account: string, { resource, skip }: ShownPage) {
  return { account, resource, skip }
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

/** Reads that are new or have moved, together with the answer's page. null: none. */
export function readRows(account: string, { page, rows }: ReadsAfter): Part | null {
  if (rows.length === 0) return null
  const values = { rows: jsonRows(rows.map((row) => ({ ...row, account: accountOf(account, row.resource) }))) }
  return { sql: page?.ref === NEW_PAGE ? SAVE_ON_NEW_PAGE : SAVE, values }
}

// Rows that are written over exist: what is found by its key alone is looked up by the key's index, whatever the planner knows of the table.
const SAVE_PRINTS = `
  print AS (
    INSERT INTO reads (account, resource, id, fingerprint, etag, sent_at, answered_at, pass)
    SELECT *, 0, 0, 0
    FROM unnest(:accounts::text[], :resources::text[], :ids::text[], :fingerprints::text[], :etags::text[])
    ON CONFLICT (account, resource, id) DO UPDATE SET fingerprint = excluded.fingerprint, etag = excluded.etag
  )`

export function printRows(account: string, { prints }: ReadsAfter): Part | null {
  if (prints.length === 0) return null
  const values = {
    accounts: prints.map(({ resource }) => accountOf(account, resource)),
    resources: prints.map(({ resource }) => resource),
    ids: prints.map(({ id }) => id),
    fingerprints: prints.map(({ fingerprint }) => fingerprint),
    etags: prints.map(({ etag }) => etag),
  }
  return { sql: SAVE_PRINTS, values }
}

const GROW = `
  list_size AS (
    INSERT INTO list_sizes AS size (account, resource, records)
    SELECT * FROM unnest(:accounts::text[], :resources::text[], :steps::bigint[])
    ON CONFLICT (account, resource) DO UPDATE SET records = size.records + excluded.records
  )`

export function grownLists(account: string, { growth }: ReadsAfter): Part | null {
  if (growth.size === 0) return null
  const resources = [...growth.keys()]
  const accounts = resources.map((resource) => accountOf(account, resource))
  return { sql: GROW, values: { accounts, resources, steps: [...growth.values()] } }
}
