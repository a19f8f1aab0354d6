import { ShipbellError } from '../../errors.ts'
import { accountOf, conflict, recordColumns, subjectKey, timesOf, type StoredRow } from '../records/record-rows.ts'
import { NO_OUTLINE, type RecordOutline } from '../../model/record-outline.ts'
import type { BatchChange, ReadBatch, RecordWrite } from '../ports/commit-port.ts'
import type { PageWrite } from '../ports/list-port.ts'
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
import { doubtPage, movePage, savePage, type Place } from '../lists/page-rows.sqlite.ts'
import { Query, type Value } from '../file/query.ts'
import { saveLying } from '../lists/validator-rows.sqlite.ts'

type ChangeOf<K extends BatchChange['kind']> = Extract<BatchChange, { readonly kind: K }>

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
// A null pass leaves the last one: the read was not part of a pass over the record's list. A record that it found for the first
// time, or found again, need not be met by the current pass. A read that showed nothing is counted as a miss by its pass, and
// by nobody where it is part of none.
const SAVE_READ = `
  INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses, page, etag)
  VALUES (:account, :resource, :id, :contentHash, :sentAt, :answeredAt, coalesce(:pass, :current, 0), :misses, :page, :etag)
  ON CONFLICT DO UPDATE SET fingerprint = :contentHash, sent_at = :sentAt, answered_at = :answeredAt,
    pass = coalesce(:pass, CASE WHEN misses IS NULL THEN :current END, pass),
    misses = CASE WHEN :misses IS NULL OR :counts = 1 THEN :misses ELSE ifnull(misses, 0) END,
    page = :page, etag = :etag`
// For a record that stays on its page the page's row holds everything else, and no index is written.
const SAVE_PRINT = 'UPDATE reads SET fingerprint = ?, etag = ? WHERE account = ? AND resource = ? AND id = ?'
const TOUCH = `
  UPDATE reads SET sent_at = :sentAt, answered_at = :answeredAt, pass = ifnull(:pass, pass), page = :page,
    misses = CASE WHEN :counts = 1 THEN 0 ELSE misses END, etag = CASE WHEN :tagged = 1 THEN :etag ELSE etag END
  WHERE account = :account AND resource = :resource AND id = :id`

// A removed record (its misses are null) is neither met nor missed until it is read again.
const MEET = `
  UPDATE reads SET pass = ifnull(?, pass), misses = 0
  WHERE account = ? AND resource = ? AND id = ? AND misses IS NOT NULL`
const MISS = 'UPDATE reads SET misses = misses + 1 WHERE account = ? AND resource = ? AND id = ?'

/** What the rows of a batch are written by. */
interface Writing {
  readonly batch: ReadBatch
  readonly bodies: BodyWriter
  /** Where its records are from now on; null: on no page. */
  readonly place: Place | null
  /** Of the list that is at it, the pass that meets the batch's records; null: no pass does. */
  readonly met: { readonly resource: string; readonly pass: number } | null
  readonly page: PageWrite | null
  /** When the subjects of its events rang last. */
  readonly rang: ReadonlyMap<string, number>
}

/** `CommitStore.commit`, inside the caller's write transaction. */
export function commitBatch(db: Connection, batch: ReadBatch): void {
  registerAccount(db, batch.account)
  const page = batch.changes.find((change) => change.kind === 'page')?.page ?? null
  const list = batch.changes.find((change) => change.kind === 'list') ?? null
  const place = page === null ? null : savePage(db, batch.account, page)
  const met = list === null ? null : { resource: list.resource, pass: list.state.pass }
  const bodies = new BodyWriter(db)
  const rang = appendEvents(db, { ...batch, bodies })
  const writing = { batch, bodies, place, met, page, rang }
  for (const write of batch.records) saveRecord(db, write, writing)
  for (const change of batch.changes) applyChange(db, change, writing)
  saveNotifiedDates(db, batch.account, batch.dates)
  writing.bodies.uses.settle(db)
}

function applyChange(db: Connection, change: BatchChange, writing: Writing): void {
  const { account } = writing.batch
  switch (change.kind) {
    case 'page':
      return
    case 'list':
      return saveList(db, { account, ...change })
    case 'unchanged':
      return touchUnchanged(db, change, writing)
    case 'met':
      return meet(db, change, writing)
    case 'missed':
      return miss(db, change, writing)
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
  const account = accountOf(batch.account, write)
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
  if (write.read !== 'none') saveRead(db, write, writing)
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

function saveRead(db: Connection, write: RecordWrite, writing: Writing): void {
  const { batch, page: shown, place } = writing
  const { state, contentHash, etag = null } = write
  const { id, lastRead, removedAt, resource } = state
  const account = accountOf(batch.account, write)
  // A removed record is on no page.
  const to = removedAt === null && resource === shown?.resource ? place : null
  if (to?.members.has(id) === true) {
    db.run(SAVE_PRINT, contentHash, etag, account, resource, id)
    return
  }
  const page = movePage(db, { account, resource }, { id, to })
  db.run(SAVE_READ, {
    account,
    resource,
    id,
    contentHash,
    ...lastRead,
    pass: metBy(writing, resource),
    current: shown?.kind === 'shown' ? shown.current : null,
    misses: removedAt === null ? 0 : null,
    counts: contentHash !== null && countsMisses(writing) ? 1 : 0,
    page,
    etag,
  })
}

function touchUnchanged(db: Connection, { etag, ids, read, resource }: ChangeOf<'unchanged'>, writing: Writing): void {
  const { account } = writing.batch
  const { place } = writing
  const tag = { tagged: etag === undefined ? 0 : 1, etag: etag ?? null }
  const counts = countsMisses(writing) ? 1 : 0
  const touch = { account, resource, ...read, pass: metBy(writing, resource), counts, ...tag }
  for (const id of ids) {
    if (place?.members.has(id) === true) continue
    const page = movePage(db, { account, resource }, { id, to: place })
    db.run(TOUCH, { ...touch, id, page })
  }
}

function meet(db: Connection, { ids, resource }: ChangeOf<'met'>, writing: Writing): void {
  const { account } = writing.batch
  for (const id of ids) {
    doubtPage(db, { account, resource }, id)
    db.run(MEET, metBy(writing, resource), account, resource, id)
  }
}

function miss(db: Connection, { ids, resource }: ChangeOf<'missed'>, { batch: { account } }: Writing): void {
  for (const id of ids) {
    movePage(db, { account, resource }, { id, to: null })
    db.run(MISS, account, resource, id)
  }
}

function countsMisses({ page }: Writing): boolean {
  return page === null || page.pass !== null
}

/** The pass that met the batch's records of a resource; null where the batch is not of that list. */
function metBy({ met }: Writing, resource: string): number | null {
  return met?.resource === resource ? met.pass : null
}
