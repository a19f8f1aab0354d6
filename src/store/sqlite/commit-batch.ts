import { ShipbellError } from '../../errors.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { ReadBatch, RecordWrite } from '../ports.ts'
import { appendEvents } from './append-events.ts'
import { BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { saveChurning } from './churn-rows.ts'
import { saveHold } from './hold-rows.ts'
import { saveLearnt } from './learnt-rows.ts'
import { saveList } from './list-rows.ts'
import { saveCeiling, savePause } from './pause-rows.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { saveNotifiedDates } from './notified-date-rows.ts'
import { saveQuarantine } from './rejection-rows.ts'
import { doubtPage, movePage, savePage, type Place } from './page-rows.ts'
import { Query } from './query.ts'
import { saveLying } from './validator-rows.ts'

interface OldRow {
  readonly version: number
  readonly seen_body: number | null
  readonly reported_body: number | null
  readonly closed_at: number | null
  readonly removed_at: number | null
  readonly next_edge_at: number | null
  readonly settles_at: number | null
}

const FIND = new Query<OldRow>(`
  SELECT version, seen_body, reported_body, closed_at, removed_at, next_edge_at, settles_at FROM records
  WHERE account = ? AND resource = ? AND id = ?`)
const REGISTER = 'INSERT INTO accounts (account) VALUES (?) ON CONFLICT DO NOTHING'
const SAVE = `
  INSERT INTO records (account, resource, id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at,
    closed_at, phase, phase_until, removed_at, next_edge_at, settles_at, memory)
  VALUES (:account, :resource, :id, :seen, :reported, :version, :lastEventId, :atBaseline, :firstSeenAt, :closedAt,
    :phase, :phaseUntil, :removedAt, :nextEdgeAt, :settlesAt, :memory)
  ON CONFLICT (account, resource, id) DO UPDATE SET seen_body = :seen, reported_body = :reported, version = :version,
    last_event_id = :lastEventId, at_baseline = :atBaseline, first_seen_at = :firstSeenAt, closed_at = :closedAt,
    phase = ifnull(:phase, phase), phase_until = CASE WHEN :phase IS NULL THEN phase_until ELSE :phaseUntil END, removed_at = :removedAt, next_edge_at = :nextEdgeAt, settles_at = :settlesAt,
    memory = :memory`
// Moves no index: SQLite would write each index of a column that is set, be it to what it is.
const CHANGE = `
  UPDATE records SET seen_body = :seen, reported_body = :reported, version = :version, last_event_id = :lastEventId,
    at_baseline = :atBaseline, first_seen_at = :firstSeenAt, phase = ifnull(:phase, phase),
    phase_until = CASE WHEN :phase IS NULL THEN phase_until ELSE :phaseUntil END, memory = :memory
  WHERE account = CAST(:account AS TEXT) AND resource = CAST(:resource AS TEXT) AND id = CAST(:id AS TEXT)`
// A null pass leaves the last one: the read was not part of a pass over the record's list; what it found, or found again,
// the current pass need not meet. A read that showed nothing is for its pass to count, and one that is part of none counts
// for no misses.
const SAVE_READ = `
  INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses, page, etag)
  VALUES (:account, :resource, :id, :contentHash, :sentAt, :answeredAt, coalesce(:pass, :current, 0), :misses, :page, :etag)
  ON CONFLICT DO UPDATE SET fingerprint = :contentHash, sent_at = :sentAt, answered_at = :answeredAt,
    pass = coalesce(:pass, CASE WHEN misses IS NULL THEN :current END, pass),
    misses = CASE WHEN :misses IS NULL OR :counts = 1 THEN :misses ELSE ifnull(misses, 0) END,
    page = :page, etag = :etag`
// Of a record that stays on its page all else is told by the page, and no index moves.
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

/** `PollStore.commit`, inside the caller's write transaction. */
export function commitBatch(db: Connection, batch: ReadBatch): void {
  const bodies = new BodyWriter(db)
  db.run(REGISTER, batch.account)
  const place = batch.page === undefined ? null : savePage(db, batch.account, batch.page)
  for (const write of batch.records) saveRecord(db, { batch, write, bodies, place })
  touchUnchanged(db, batch, place)
  countMeetings(db, batch)
  const { deliveries, events, provenance, storedAt } = batch
  appendEvents(db, { events, deliveries, bodies, provenance, storedAt })
  if (batch.dates !== undefined) saveNotifiedDates(db, batch.account, batch.dates)
  if (batch.pause !== undefined) savePause(db, batch.account, batch.pause)
  if (batch.ceiling !== undefined) saveCeiling(db, batch.account, batch.ceiling)
  if (batch.list !== undefined) saveList(db, { account: batch.account, ...batch.list })
  if (batch.learnt !== undefined) saveLearnt(db, batch.account, batch.learnt)
  if (batch.churning !== undefined) saveChurning(db, batch.account, batch.churning)
  if (batch.lyingValidators !== undefined) saveLying(db, batch.account, batch.lyingValidators)
  if (batch.quarantine !== undefined) saveQuarantine(db, batch.account, batch.quarantine)
  if (batch.hold !== undefined) saveHold(db, { account: batch.account, ...batch.hold })
  bodies.uses.settle(db)
}

function saveRecord(
  db: Connection,
  { batch, write, bodies, place }: { batch: ReadBatch; write: RecordWrite; bodies: BodyWriter; place: Place | null },
): void {
  const { state } = write
  const account = accountOf(batch, write)
  const old = db.one(FIND, account, state.resource, state.id)
  if ((old?.version ?? null) !== write.expectedVersion) throw conflict(batch.account, write)
  if (account !== batch.account) db.run(REGISTER, account)
  const seen = bodies.save(state.seen)
  const reported = bodies.save(state.reported)
  const row = {
    account,
    resource: state.resource,
    id: state.id,
    seen,
    reported,
    version: state.version,
    lastEventId: state.lastEventId,
    atBaseline: state.atBaseline ? 1 : 0,
    firstSeenAt: state.firstSeenAt,
    phase: write.phase?.phase ?? null,
    phaseUntil: write.phase?.until ?? null,
    memory: JSON.stringify(state.memory),
  }
  const times = timesOf(state)
  if (old !== undefined && isAt(old, times)) db.run(CHANGE, row)
  else db.run(SAVE, { ...row, ...times })
  bodies.uses.add([seen, reported])
  if (old !== undefined) bodies.uses.remove([old.seen_body, old.reported_body])
  if (write.read !== 'none') saveRead(db, { batch, write, place })
}

function timesOf({ closedAt, memory, nextEdgeAt, removedAt }: RecordState) {
  return { closedAt, removedAt, nextEdgeAt, settlesAt: memory.settling?.dueAt ?? null }
}

function isAt(old: OldRow, { closedAt, nextEdgeAt, removedAt, settlesAt }: ReturnType<typeof timesOf>): boolean {
  const isOpenAsBefore = old.closed_at === closedAt && old.removed_at === removedAt
  return isOpenAsBefore && old.next_edge_at === nextEdgeAt && old.settles_at === settlesAt
}

function accountOf(batch: ReadBatch, { state }: RecordWrite): string {
  return state.resource === 'subscription' ? NO_ACCOUNT : batch.account
}

function saveRead(
  db: Connection,
  { batch, write, place }: { batch: ReadBatch; write: RecordWrite; place: Place | null },
): void {
  const { state, contentHash, etag = null } = write
  const { id, lastRead, removedAt, resource } = state
  const account = accountOf(batch, write)
  const to = resource === batch.page?.resource ? place : null
  if (to?.members.has(id) === true && removedAt === null) {
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
    pass: metBy(batch, resource),
    current: currentPass(batch),
    misses: removedAt === null ? 0 : null,
    counts: contentHash !== null && countsMisses(batch) ? 1 : 0,
    page,
    etag,
  })
}

function touchUnchanged(db: Connection, batch: ReadBatch, place: Place | null): void {
  if (batch.unchanged === undefined) return
  const { etag, ids, read, resource } = batch.unchanged
  const { account } = batch
  const tag = { tagged: etag === undefined ? 0 : 1, etag: etag ?? null }
  const touch = {
    account,
    resource,
    ...read,
    pass: metBy(batch, resource),
    counts: countsMisses(batch) ? 1 : 0,
    ...tag,
  }
  for (const id of ids) {
    if (place?.members.has(id) === true) continue
    const page = movePage(db, { account, resource }, { id, to: place })
    db.run(TOUCH, { ...touch, id, page })
  }
}

function countMeetings(db: Connection, batch: ReadBatch): void {
  const { account, met, missed } = batch
  if (met !== undefined) {
    const { resource } = met
    for (const id of met.ids) {
      doubtPage(db, { account, resource }, id)
      db.run(MEET, metBy(batch, resource), account, resource, id)
    }
  }
  if (missed === undefined) return
  const { resource } = missed
  for (const id of missed.ids) {
    movePage(db, { account, resource }, { id, to: null })
    db.run(MISS, account, resource, id)
  }
}

function countsMisses({ page }: ReadBatch): boolean {
  return page === undefined || page.pass !== null
}

/** Of the list whose page was read by no pass. */
function currentPass({ page }: ReadBatch): number | null {
  return page?.kind === 'shown' ? page.current : null
}

/** The pass that met the batch's records of a resource; null where the batch is not of that list. */
function metBy({ list }: ReadBatch, resource: string): number | null {
  return list?.resource === resource ? list.state.pass : null
}

function conflict(account: string, { state, expectedVersion }: RecordWrite): ShipbellError {
  const expected = expectedVersion === null ? 'was expected to be new' : `is no longer at version ${expectedVersion}`
  return new ShipbellError(
    'store_conflict',
    `The ${state.resource} ${state.id} of account ${account} ${expected}: read it again and compare anew.`,
  )
}
