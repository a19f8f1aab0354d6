import type { Phase, PhaseSpan } from '../../model/phase.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { isComplete } from './list-rows.ts'
import { pageOf, type PageRow } from './page-rows.ts'
import type { ListState, PageContents, PageUnit, StoredPage } from '../ports/list-port.ts'
import type { Transaction } from '../server/database.ts'
import { rowOfKey } from '../server/key-lookup.ts'
import { Query } from '../server/query.ts'

interface List {
  readonly account: string
  readonly resource: SubjectResource
}

type Reading = Pick<Transaction, 'all' | 'one'>

const FIND = Query.frequent<PageRow>(
  'SELECT * FROM pages WHERE account = :account AND resource = :resource AND skip = :skip',
)
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
/** Of records that have no phases. */
const NO_PHASES = Query.frequent<{ phase: null; until: null }>(`
  SELECT NULL AS phase, NULL AS until ${ON_PAGE} ${OF_LIST} AND pages.skip = :skip`)
const CONTENTS = Query.frequent<PageRow & { id: string | null; fingerprint: string | null }>(`
  SELECT pages.*, reads.id, reads.fingerprint
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
