import { TABLES } from '../tables/tables.ts'
import type { RowOf } from '../tables/table.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { accountOf, conflict, KNOWN_COLUMNS, parseTerms, RECORD, type RecordRow, toState } from './record-rows.ts'
import { joinedBody, type JoinedBody } from '../documents/stored-body.ts'
import { BodyReader, type BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query, type Value } from '../file/query.ts'
import { subjectKey } from '../../ledger/events.ts'
import { movedTerms, recordAfter, type RecordBefore, recordColumns, type RecordColumns } from '../../ledger/records.ts'
import { registerAccount } from '../accounts/accounts.sqlite.ts'
import type { RecordWrite } from '../ports/commit-port.ts'

// The document that a record shows comes along: events mostly have reported it as it is. The casts keep SQLite from preparing this join
// anew each time, as it does for parameters beside partial indexes.
const SELECT = new Query<RecordRow & Omit<JoinedBody, 'ref'>>(`
  SELECT records.resource, records.id, ${KNOWN_COLUMNS}, ifnull(pages.sent_at, reads.sent_at) AS sent_at,
    ifnull(pages.answered_at, reads.answered_at) AS answered_at, bodies.codec, bodies.content, bodies.base,
    base.codec AS base_codec, base.content AS base_content
  FROM records JOIN reads USING (account, resource, id) LEFT JOIN pages ON pages.ref = reads.page
    LEFT JOIN bodies ON bodies.ref = records.seen_body LEFT JOIN bodies AS base ON base.ref = bodies.base
  WHERE records.account = CAST(? AS TEXT) AND records.resource = CAST(? AS TEXT) AND records.id = CAST(? AS TEXT)`)

/** The whole states of those of `ids` that are known. Runs inside the caller's transaction. */
export function loadRecords(
  db: Connection,
  list: { readonly account: string; readonly resource: SubjectResource },
  ids: readonly string[],
): ReadonlyMap<string, RecordState> {
  const bodies = new BodyReader(db)
  const states = new Map<string, RecordState>()
  for (const id of ids) {
    const row = db.one(SELECT, list.account, list.resource, id)
    if (row === undefined) continue
    const { base, base_codec, base_content, codec, content, seen_body: ref } = row
    const seen = joinedBody({ ref, codec, content, base, base_codec, base_content })
    if (seen !== null) bodies.hold(seen)
    states.set(id, toState(row, bodies))
  }
  return states
}

const OLD = TABLES.records.only(
  'ref version seen_body reported_body last_event_at changed_at phase phase_until status name carrier lane due_day kind totals ending eta_at drift closed_at removed_at next_edge_at settles_at',
)

type OldRow = RowOf<typeof OLD>

const FIND = new Query<OldRow>(`SELECT ${OLD.selected()} FROM records WHERE account = ? AND resource = ? AND id = ?`)
const NEW = RECORD.without('ref')
// Values in a list: by their names they would cost as much as two of the row's indexes.
const ADD = `${NEW.insert} ON CONFLICT DO NOTHING`
const CHANGE = `
  UPDATE records SET seen_body = ?, reported_body = ?, version = ?, last_event_id = ?, at_baseline = ?, first_seen_at = ?`
const MEMORY = ', memory = ?'
const OF_ROW = ' WHERE ref = ?'

type MovingColumn = keyof OldRow & keyof RecordColumns

/**
 * The parts of a row that are set only where they moved, because SQLite writes the index of every column that is set, also where the
 * value stays.
 */
const PARTS: readonly { readonly columns: readonly MovingColumn[]; readonly sql: string }[] = [
  { columns: ['phase', 'phaseUntil'], sql: ', phase = ?, phase_until = ?' },
  { columns: ['lastEventAt'], sql: ', last_event_at = ?' },
  { columns: ['changedAt'], sql: ', changed_at = ?' },
  { columns: ['closedAt', 'removedAt'], sql: ', closed_at = ?, removed_at = ?' },
  { columns: ['nextEdgeAt'], sql: ', next_edge_at = ?' },
  { columns: ['settlesAt'], sql: ', settles_at = ?' },
  { columns: ['name', 'carrier', 'lane'], sql: ', name = ?, carrier = ?, lane = ?' },
  { columns: ['status', 'dueDay'], sql: ', status = ?, due_day = ?' },
  { columns: ['ending'], sql: ', ending = ?' },
  { columns: ['etaAt', 'drift'], sql: ', eta_at = ?, drift = ?' },
  { columns: ['kind', 'totals'], sql: ', kind = ?, totals = ?' },
]

export interface RecordWriting {
  /** The account of the batch. */
  readonly account: string
  readonly bodies: BodyWriter
  /** When the subjects of the batch's events rang last, by `subjectKey`. */
  readonly rang: ReadonlyMap<string, number>
  /** When reads showed the changes that ring in the batch, likewise. */
  readonly shown: ReadonlyMap<string, number>
}

/** Writes a record of a batch. Throws `store_conflict` where it is at another version. */
export function saveRecord(
  db: Connection,
  write: RecordWrite,
  { account: of, bodies, rang, shown }: RecordWriting,
): void {
  const { before: loaded, phase, state } = write
  const { id, resource } = state
  const account = accountOf(of, resource)
  // Whether a new one is there after all is seen as it is written.
  const old = loaded === null ? undefined : db.one(FIND, account, resource, id)
  if (loaded !== null && old?.version !== loaded.version) throw conflict(of, write)
  if (account !== of) registerAccount(db, account)
  const seenBefore = loaded?.seen ?? null
  const [seen, reported] = [bodies.save(state.seen, seenBefore), bodies.save(state.reported, seenBefore)]
  const isKnownBy = seenBefore !== null && old !== undefined && bodies.isAt(seenBefore, old.seenBody)
  const before = isKnownBy ? seenBefore : null
  const after = recordAfter(old === undefined ? null : recordAt(old), {
    state,
    ...(phase && { phase }),
    seen,
    rangAt: rang.get(subjectKey(state)),
    shownAt: shown.get(subjectKey(state)),
    before,
  })
  const written = { columns: recordColumns(state, after), seenBody: seen, reportedBody: reported, write }
  const ref = old === undefined ? addRow(db, account, written) : changeRow(db, old, written)
  if (ref === null) throw conflict(of, write)
  if (after.terms !== null) saveTerms(db, { account, resource, ref, isNew: old === undefined }, after.terms)
  bodies.uses.add(seen, reported)
  if (old !== undefined) bodies.uses.remove(old.seenBody, old.reportedBody)
}

function recordAt(old: OldRow): RecordBefore<number> {
  const { changedAt, lastEventAt, phase, phaseUntil, seenBody: seen } = old
  return { seen, lastEventAt, changedAt, phase, phaseUntil, outline: old, listing: old, terms: null }
}

interface Written {
  readonly seenBody: number | null
  readonly reportedBody: number | null
  readonly columns: RecordColumns
  readonly write: RecordWrite
}

/** Returns the `ref` of the new row; null: the record is there already. */
function addRow(db: Connection, account: string, { columns, write, ...documents }: Written): number | null {
  const { id, memory, resource } = write.state
  const row = { account, resource, id, memory: JSON.stringify(memory), ...documents, ...columns }
  return db.insert(ADD, ...NEW.bound(row))
}

function changeRow(db: Connection, old: OldRow, { columns: now, reportedBody, seenBody, write }: Written): number {
  const { atBaseline, firstSeenAt, lastEventId, version } = now
  let sql = CHANGE
  const values: Value[] = [seenBody, reportedBody, version, lastEventId, atBaseline, firstSeenAt]
  if (write.state.memory !== write.before?.memory) {
    sql += MEMORY
    values.push(JSON.stringify(write.state.memory))
  }
  for (const { columns, sql: part } of PARTS) {
    if (!hasMoved(columns, old, now)) continue
    sql += part
    for (const column of columns) values.push(now[column])
  }
  db.run(sql + OF_ROW, ...values, old.ref)
  return old.ref
}

function hasMoved(columns: readonly MovingColumn[], old: OldRow, now: RecordColumns): boolean {
  for (const column of columns) if (old[column] !== now[column]) return true
  return false
}

const TERMS = new Query<{ terms: string }>('SELECT terms FROM record_terms WHERE record = ?')
const SAVE_TERMS = `
  INSERT INTO record_terms (record, terms) VALUES (?, ?) ON CONFLICT DO UPDATE SET terms = excluded.terms, shared = NULL`
const QUEUE = 'INSERT INTO search_queue VALUES (?) ON CONFLICT DO NOTHING'
// A new record has a dozen: one statement for all of them. So that it can take back some rows of a statement alone, SQLite would keep a
// copy of each page beside it, which costs more than a dozen statements; whoever fails here takes back all of the transaction.
const ADD_TERMS = 'INSERT OR FAIL INTO terms (account, resource, term, record) SELECT ?, ?, value, ? FROM json_each(?)'
const DROP_TERM = 'DELETE FROM terms WHERE account = ? AND resource = ? AND term = ? AND record = ?'

interface FoundRecord {
  readonly account: string
  readonly resource: string
  readonly ref: number
  readonly isNew: boolean
}

function saveTerms(db: Connection, { account, isNew, ref, resource }: FoundRecord, terms: readonly string[]): void {
  const stored = JSON.stringify(terms)
  if (isNew) db.run(ADD_TERMS, account, resource, ref, stored)
  else {
    const { found, gone } = movedTerms(parseTerms(db.one(TERMS, ref)?.terms ?? null), terms)
    for (const term of gone) db.run(DROP_TERM, account, resource, term, ref)
    db.run(ADD_TERMS, account, resource, ref, JSON.stringify(found))
  }
  db.run(SAVE_TERMS, ref, stored)
  db.run(QUEUE, ref)
}
