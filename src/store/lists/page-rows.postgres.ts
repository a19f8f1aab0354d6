import type { Phase, PhaseSpan } from '../../model/phase.ts'
import type { PageAfter } from '../../ledger/read-rows.ts'
import { NEW_PAGE } from '../../ledger/reads.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { isComplete } from './list-rows.ts'
import { PAGE_COLUMNS, pageOf, type PageRow } from './page-rows.ts'
import type { ListState, PageContents, PageUnit, PageWrite, StoredPage } from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'
import type { Look, Part } from '../server/together.ts'

interface List {
  readonly account: string
  readonly resource: SubjectResource
}

type Reading = Pick<Transaction, 'all' | 'one'>

const PAGE = `SELECT ${PAGE_COLUMNS} FROM pages WHERE account = :account AND resource = :resource AND skip = :skip`
const FIND = Query.frequent<PageRow>(PAGE)
const ON_PAGE = 'FROM pages JOIN reads ON reads.page = pages.ref AND reads.misses IS NOT NULL'
const OF_LIST = 'WHERE pages.account = :account AND pages.resource = :resource'
const MEMBERS = Query.frequent<{ id: string }>(
  `SELECT reads.id ${ON_PAGE} ${OF_LIST} AND pages.skip = ANY(:skips::bigint[])`,
)
const PHASES = Query.frequent<{ phase: Phase | null; until: number | null }>(`
  SELECT records.phase, records.phase_until AS until
  ${ON_PAGE}
    JOIN ${rowOfKey('records', { account: 'reads.account', resource: 'reads.resource', id: 'reads.id' })} AS records ON true
  ${OF_LIST} AND pages.skip = :skip`)
/** The phases on a page whose records have none. */
const NO_PHASES = Query.frequent<{ phase: null; until: null }>(`
  SELECT NULL AS phase, NULL AS until ${ON_PAGE} ${OF_LIST} AND pages.skip = :skip`)
const CONTENTS = Query.frequent<PageRow & { id: string | null; fingerprint: string | null }>(`
  SELECT ${PAGE_COLUMNS}, reads.id, reads.fingerprint
  ${ON_PAGE.replace('JOIN', 'LEFT JOIN')} ${OF_LIST} AND pages.skip = :skip`)
const UNITS = new Query<PageUnit>(`
  SELECT skip, rows, sent_at AS "lastSentAt" FROM pages
  WHERE account = :account AND resource = :resource AND pass >= :pass ORDER BY skip`)

export async function loadPage(tx: Reading, list: List, skip: number): Promise<StoredPage | null> {
  const row = await tx.one(FIND, { ...list, skip })
  return row === undefined ? null : pageOf(row)
}

export async function loadContents(tx: Reading, list: List, skip: number): Promise<PageContents | null> {
  const rows = await tx.all(CONTENTS, { ...list, skip })
  const [row] = rows
  if (row === undefined) return null
  const ids = rows.flatMap(({ id, fingerprint }) =>
    fingerprint === null || id === null ? [] : [[fingerprint, id] as const],
  )
  return { ...pageOf(row), ids: new Map(ids) }
}

export async function idsOn(tx: Reading, list: List, skips: readonly number[]): Promise<readonly string[]> {
  return (await tx.all(MEMBERS, { ...list, skips })).map(({ id }) => id)
}

export async function phasesOn(tx: Reading, list: List, skip: number): Promise<readonly (PhaseSpan | null)[]> {
  const found = await tx.all(list.resource === 'shipment' ? PHASES : NO_PHASES, { ...list, skip })
  return found.map(({ phase, until }) => (phase === null ? null : { phase, until }))
}

/** `state`: of the list, by which the pages of the last complete pass differ from older ones. */
export async function pageUnits(tx: Reading, list: List, state: ListState): Promise<readonly PageUnit[]> {
  return await tx.all(UNITS, { ...list, pass: isComplete(state) ? state.pass : 0 })
}

/** The page that an answer is, as it is known. Its account is held. */
export function answeredPage(account: string, page: PageWrite | null): Look<PageRow> | null {
  if (page === null) return null
  return { sql: PAGE, values: { account, resource: page.resource, skip: page.skip } }
}

const ADD = `
  page AS (
    INSERT INTO pages (account, resource, skip, rows, print, rules, certain_id_field, digest, etag, sent_at, answered_at, pass)
    VALUES (:account, :resource, :skip, :rows, :print, :rules, :certainIdField, :digest, :etag, :sentAt, :answeredAt, :pass)
    RETURNING ref
  )`
const SHOW = `
  page AS (
    UPDATE pages SET rows = :rows, print = :print, rules = :rules, certain_id_field = :certainIdField, digest = :digest,
      etag = :etag, sent_at = :sentAt, answered_at = :answeredAt, pass = :pass
    WHERE ref = :ref
  )`
const MOVE = `
  page AS (
    UPDATE pages SET digest = :digest, etag = :etag, sent_at = :sentAt, answered_at = :answeredAt, pass = :pass WHERE ref = :ref
  )`
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
export async function dropOldPages(tx: Transaction, { account, resource }: List, state: ListState): Promise<void> {
  if (!isComplete(state)) return
  const old = { account, resource, pass: state.pass }
  await tx.run(TAKE_OFF_OLD, old)
  await tx.run(DROP_OLD, old)
}
