import { TABLES } from '../tables/tables.ts'
import type { Phase, PhaseSpan } from '../../model/phase.ts'
import type { PageAfter, ReadAnswer } from '../../ledger/read-rows.ts'
import { NEW_PAGE, type ReadsAfter, recordsIn } from '../../ledger/reads.ts'
import { isComplete } from './list-rows.ts'
import {
  ADD_PAGE,
  type LoadedRead,
  MOVE_PAGE,
  PAGE_COLUMNS,
  pageOf,
  type PageRow,
  READ_COLUMNS,
  SHOW_PAGE,
} from './read-rows.ts'
import type {
  ListKey,
  ListState,
  PageContents,
  PageUnit,
  PageWrite,
  ShownPage,
  StoredPage,
} from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { jsonRows, type Look, type Part, rowOfKey, WANTED } from '../server/statement-parts.ts'
import { Query } from '../server/query.ts'
import { accountOf } from '../records/record-rows.ts'

type Reading = Pick<Transaction, 'all' | 'one'>

const PAGE = `SELECT ${PAGE_COLUMNS} FROM pages WHERE account = :account AND resource = :resource AND skip = :skip`
const FIND_PAGE = Query.frequent<PageRow>(PAGE)
const ON_PAGES = 'FROM pages JOIN reads ON reads.page = pages.ref AND reads.misses IS NOT NULL'
const OF_LIST = 'WHERE pages.account = :account AND pages.resource = :resource'
const IDS_ON = Query.frequent<{ id: string }>(
  `SELECT reads.id ${ON_PAGES} ${OF_LIST} AND pages.skip = ANY(:skips::bigint[])`,
)
const PHASES = Query.frequent<{ phase: Phase | null; until: number | null }>(`
  SELECT records.phase, records.phase_until AS until
  ${ON_PAGES}
    JOIN ${rowOfKey('records', { account: 'reads.account', resource: 'reads.resource', id: 'reads.id' })} AS records ON true
  ${OF_LIST} AND pages.skip = :skip`)
/** The phases on a page whose records have none. */
const NO_PHASES = Query.frequent<{ phase: null; until: null }>(`
  SELECT NULL AS phase, NULL AS until ${ON_PAGES} ${OF_LIST} AND pages.skip = :skip`)
const CONTENTS = Query.frequent<PageRow & { id: string | null; fingerprint: string | null }>(`
  SELECT ${PAGE_COLUMNS}, reads.id, reads.fingerprint
  ${ON_PAGES.replace('JOIN', 'LEFT JOIN')} ${OF_LIST} AND pages.skip = :skip`)
const PAGE_UNITS = new Query<PageUnit>(`
  SELECT skip, rows, sent_at AS "lastSentAt" FROM pages
  WHERE account = :account AND resource = :resource AND pass >= :pass ORDER BY skip`)

export async function loadPage(tx: Reading, list: ListKey, skip: number): Promise<StoredPage | null> {
  const row = await tx.one(FIND_PAGE, { ...list, skip })
  return row === undefined ? null : pageOf(row)
}

export async function loadContents(tx: Reading, list: ListKey, skip: number): Promise<PageContents | null> {
  const rows = await tx.all(CONTENTS, { ...list, skip })
  const [row] = rows
  if (row === undefined) return null
  const ids = rows.flatMap(({ id, fingerprint }) =>
    fingerprint === null || id === null ? [] : [[fingerprint, id] as const],
  )
  return { ...pageOf(row), ids: new Map(ids) }
}

export async function idsOn(tx: Reading, list: ListKey, skips: readonly number[]): Promise<readonly string[]> {
  return (await tx.all(IDS_ON, { ...list, skips })).map(({ id }) => id)
}

export async function phasesOn(tx: Reading, list: ListKey, skip: number): Promise<readonly (PhaseSpan | null)[]> {
  const found = await tx.all(list.resource === 'shipment' ? PHASES : NO_PHASES, { ...list, skip })
  return found.map(({ phase, until }) => (phase === null ? null : { phase, until }))
}

/** `state`: of the list, by which the pages of the last complete pass differ from older ones. */
export async function pageUnits(tx: Reading, list: ListKey, state: ListState): Promise<readonly PageUnit[]> {
  return await tx.all(PAGE_UNITS, { ...list, pass: isComplete(state) ? state.pass : 0 })
}

/** The page that an answer is, as it is known. Its account is held. */
export function answeredPage(account: string, page: PageWrite | null): Look<PageRow> | null {
  if (page === null) return null
  return { sql: PAGE, values: { account, resource: page.resource, skip: page.skip } }
}

const [ADD, SHOW, MOVE] = [`page AS (${ADD_PAGE} RETURNING ref)`, `page AS (${SHOW_PAGE})`, `page AS (${MOVE_PAGE})`]
const DROP = 'page AS (DELETE FROM pages WHERE ref = :ref)'

/** What became of an answer's page: a part of the one statement that a commit writes with, as each is a round trip. null: nothing. */
export function pageRow(account: string, write: PageWrite | null, after: PageAfter | null): Part | null {
  if (after === null || write === null) return null
  if (after.kind === 'emptied') return { sql: DROP, values: { ref: after.ref } }
  const { kind, ...moved } = after
  if (kind === 'same' || write.kind === 'same') return { sql: MOVE, values: moved }
  const { certainIdField, contentHash: print, resource, rows, rules, skip } = write
  const shown = { ...moved, rows, print, rules, certainIdField }
  return after.ref === NEW_PAGE
    ? { sql: ADD, values: { ...shown, account, resource, skip } }
    : { sql: SHOW, values: shown }
}

const DOUBT = 'doubted AS (UPDATE pages SET digest = NULL WHERE ref = ANY(:refs::bigint[]) AND digest IS NOT NULL)'

/** Other pages whose next answer is parsed, whatever its bytes. null: none. */
export function doubtedPages(refs: readonly number[]): Part | null {
  return refs.length === 0 ? null : { sql: DOUBT, values: { refs } }
}

/** What `PlacedAnswer` makes of a record that leaves its page, of whole pages at once. */
const TAKE_OFF_OLD = new Query(`
  UPDATE reads SET page = NULL, sent_at = pages.sent_at, answered_at = pages.answered_at, pass = greatest(pages.pass, reads.pass)
  FROM pages
  WHERE pages.account = :account AND pages.resource = :resource AND pages.pass < :pass
    AND reads.page = pages.ref AND reads.misses IS NOT NULL`)
const DROP_OLD = new Query('DELETE FROM pages WHERE account = :account AND resource = :resource AND pass < :pass')

/** Forgets the pages that the last complete pass did not read: the list is shorter, or is cut otherwise. The account is held. */
export async function dropOldPages(tx: Transaction, { account, resource }: ListKey, state: ListState): Promise<void> {
  if (!isComplete(state)) return
  const old = { account, resource, pass: state.pass }
  await tx.run(TAKE_OFF_OLD, old)
  await tx.run(DROP_OLD, old)
}

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

const saveReads = (page: string): string => `read AS (${TABLES.reads.insertAll({ page })} ${TABLES.reads.instead()})`
const SAVE_READ = saveReads('page')
/** Together with the new page. */
const SAVE_READ_ON_NEW_PAGE = saveReads(`CASE WHEN page = ${NEW_PAGE} THEN (SELECT ref FROM page) ELSE page END`)

/** Reads that are new or have moved, together with the answer's page. null: none. */
export function readRows(account: string, { page, rows }: ReadsAfter): Part | null {
  if (rows.length === 0) return null
  const values = { rows: jsonRows(rows.map((row) => ({ ...row, account: accountOf(account, row.resource) }))) }
  return { sql: page?.ref === NEW_PAGE ? SAVE_READ_ON_NEW_PAGE : SAVE_READ, values }
}

// Rows that are written over exist: what is found by its key alone is looked up by the key's index, whatever the planner knows of the
// table.
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
