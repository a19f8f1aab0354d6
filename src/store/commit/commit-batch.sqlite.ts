import { ShipbellError } from '../../errors.ts'
import { subjectKey } from '../../ledger/events.ts'
import { PlacedAnswer } from '../../ledger/reads.ts'
import { accountOf, conflict, recordColumns, timesOf, type StoredRow } from '../records/record-rows.ts'
import { NO_OUTLINE, type RecordOutline } from '../../model/record-outline.ts'
import type { BatchChange, ReadBatch, RecordWrite } from '../ports/commit-port.ts'
import { registerAccount } from '../accounts/register-account.sqlite.ts'
import { appendEvents } from '../events/append-events.sqlite.ts'
import { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { saveChurning } from '../lists/churn-rows.sqlite.ts'
import { saveHold } from '../lists/hold-rows.sqlite.ts'
import { saveUnproved } from '../lists/unproved-rows.sqlite.ts'
import { saveLearnt } from '../accounts/learnt-rows.sqlite.ts'
import { saveList } from '../lists/list-rows.sqlite.ts'
import { saveCeiling, savePause } from '../accounts/pause-rows.sqlite.ts'
import { saveNotifiedDates } from '../records/notified-date-rows.sqlite.ts'
import { movedOutline, saveSearchTerms } from '../records/outline-rows.sqlite.ts'
import { saveQuarantine } from '../accounts/rejection-rows.sqlite.ts'
import { doubtPages, loadAnswered, savePage } from '../lists/page-rows.sqlite.ts'
import { pageIn, readAnswerOf, refuseOvertaken } from '../lists/read-rows.ts'
import { loadReads, saveReads } from '../lists/read-rows.sqlite.ts'
import { Query, type Value } from '../file/query.ts'
import { saveLying } from '../lists/validator-rows.sqlite.ts'

interface OldRow extends RecordOutline {
  readonly ref: number
  readonly version: number
  readonly seen_body: number | null
  readonly reported_body: number | null
  readonly closed_at: number | null
  readonly removed_at: number | null
  readonly next_edge_at: number | null
  readonly settles_at: number | null
}

const FIND = new Query<OldRow>(`
  SELECT ref, version, seen_body, reported_body, closed_at, removed_at, next_edge_at, settles_at, status, name, carrier, lane,
    due_day AS dueDay
  FROM records
  WHERE account = ? AND resource = ? AND id = ?`)
const ADD = `
  INSERT INTO records (account, resource, id, seen_body, reported_body, version, last_event_id, last_event_at, at_baseline,
    first_seen_at, closed_at, phase, phase_until, removed_at, next_edge_at, settles_at, memory)
  VALUES (:account, :resource, :id, :seen, :reported, :version, :lastEventId, ifnull(:rangAt, 0), :atBaseline, :firstSeenAt,
    :closedAt, :phase, :phaseUntil, :removedAt, :nextEdgeAt, :settlesAt, :memory)`
// SQLite writes the index of every column that is set, also where the value stays: each part is set only where it moved.
const CHANGE = `
  UPDATE records SET seen_body = ?, reported_body = ?, version = ?, last_event_id = ?, at_baseline = ?, first_seen_at = ?`
const MEMORY = ', memory = ?'
const PHASE = ', phase = ?, phase_until = ?'
const RANG = ', last_event_at = ?'
const ENDED = ', closed_at = ?, removed_at = ?'
const EDGE = ', next_edge_at = ?'
const SETTLES = ', settles_at = ?'
const OF_ROW = ' WHERE ref = ?'

/** What the rows of a batch are written by. */
interface Writing {
  readonly batch: ReadBatch
  readonly bodies: BodyWriter
  /** When the subjects of its events rang last. */
  readonly rang: ReadonlyMap<string, number>
}

/** `CommitStore.commit`, inside the caller's write transaction. */
export function commitBatch(db: Connection, batch: ReadBatch): void {
  const { account } = batch
  registerAccount(db, account)
  const write = pageIn(batch)
  const { members, page } = loadAnswered(db, account, write)
  refuseOvertaken(account, write, page)
  const placed = new PlacedAnswer(readAnswerOf(batch, write), page, members)
  const reads = placed.after(loadReads(db, account, placed.wanted))
  const bodies = new BodyWriter(db)
  const rang = appendEvents(db, { ...batch, bodies })
  const writing = { batch, bodies, rang }
  for (const each of batch.records) saveRecord(db, each, writing)
  saveReads(db, account, { reads, page: savePage(db, account, { after: reads.page, write }) })
  doubtPages(db, reads.doubted)
  for (const change of batch.changes) applyChange(db, change, account)
  saveNotifiedDates(db, account, batch.dates)
  bodies.uses.settle(db)
}

function applyChange(db: Connection, change: BatchChange, account: string): void {
  switch (change.kind) {
    case 'page':
    case 'unchanged':
    case 'met':
    case 'missed':
      return
    case 'list':
      return saveList(db, { account, ...change })
    case 'hold':
      return saveHold(db, { account, ...change })
    case 'unproved':
      return saveUnproved(db, account, change)
    case 'quarantine':
      return saveQuarantine(db, account, change)
    case 'learnt':
      return saveLearnt(db, account, change.learnt)
    case 'churning':
      return saveChurning(db, account, change)
    case 'lying_validators':
      return saveLying(db, account, change.resource)
    case 'pause':
      return savePause(db, account, change.pause)
    case 'ceiling':
      return saveCeiling(db, account, change.ceiling)
    default:
      change satisfies never
  }
}

function saveRecord(db: Connection, write: RecordWrite, writing: Writing): void {
  const { batch, bodies } = writing
  const { state } = write
  const account = accountOf(batch.account, state.resource)
  const old = db.one(FIND, account, state.resource, state.id)
  if ((old?.version ?? null) !== write.expectedVersion) throw conflict(batch.account, write)
  if (account !== batch.account) registerAccount(db, account)
  const seen = bodies.save(state.seen, write.seenBefore)
  const reported = bodies.save(state.reported, write.seenBefore)
  const stored = { seen, reported, rangAt: writing.rang.get(subjectKey(state)) ?? null }
  const isOutlined = old === undefined || old.seen_body !== seen
  const outline = isOutlined ? movedOutline(state, old ?? NO_OUTLINE) : null
  const ref =
    old === undefined
      ? addRow(db, { account, ...recordColumns(write, stored) }, outline)
      : changeRow(db, old, { write, stored, outline })
  if (isOutlined) saveSearchTerms(db, state, { account, ref, before: seenBefore(write, old, bodies) })
  bodies.uses.add(seen, reported)
  if (old !== undefined) bodies.uses.remove(old.seen_body, old.reported_body)
}

/** The document that the row points at, where it is at hand; null: it is not. */
function seenBefore({ seenBefore: before = null }: RecordWrite, old: OldRow | undefined, bodies: BodyWriter) {
  return before !== null && old !== undefined && bodies.isAt(before, old.seen_body) ? before : null
}

type Row = ReturnType<typeof recordColumns>
type Outline = ReturnType<typeof movedOutline>

function addRow(db: Connection, row: Row & { readonly account: string }, outline: Outline): number {
  const ref = db.insert(ADD, row)
  if (ref === null) throw new ShipbellError('internal', `The ${row.resource} ${row.id} could not be stored.`)
  if (outline !== null) db.run(`UPDATE records SET ${outline.sql}${OF_ROW}`, ...outline.values, ref)
  return ref
}

interface Changed {
  readonly write: RecordWrite
  readonly stored: StoredRow
  readonly outline: Outline
}

function changeRow(db: Connection, old: OldRow, { outline, stored, write }: Changed): number {
  const { ref } = old
  const { phase, state } = write
  const { atBaseline, firstSeenAt, lastEventId, version } = state
  const { closedAt, nextEdgeAt, removedAt, settlesAt } = timesOf(state)
  let sql = CHANGE
  const values: Value[] = [stored.seen, stored.reported, version, lastEventId, atBaseline ? 1 : 0, firstSeenAt]
  if (write.keepsMemory !== true) {
    sql += MEMORY
    values.push(JSON.stringify(state.memory))
  }
  if (phase !== undefined) {
    sql += PHASE
    values.push(phase.phase, phase.until)
  }
  if (stored.rangAt !== null) {
    sql += RANG
    values.push(stored.rangAt)
  }
  if (old.closed_at !== closedAt || old.removed_at !== removedAt) {
    sql += ENDED
    values.push(closedAt, removedAt)
  }
  if (old.next_edge_at !== nextEdgeAt) {
    sql += EDGE
    values.push(nextEdgeAt)
  }
  if (old.settles_at !== settlesAt) {
    sql += SETTLES
    values.push(settlesAt)
  }
  if (outline !== null) {
    sql += `, ${outline.sql}`
    values.push(...outline.values)
  }
  db.run(sql + OF_ROW, ...values, ref)
  return ref
}
