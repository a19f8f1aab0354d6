import { ShipbellError } from '../../errors.ts'
import type { ReadBatch, RecordWrite } from '../ports.ts'
import { appendEvents } from './append-events.ts'
import { BodyWriter, dropUnusedBody } from './bodies.ts'
import type { Connection } from './connection.ts'
import { saveChurning } from './churn-rows.ts'
import { saveHold } from './hold-rows.ts'
import { saveList } from './list-rows.ts'
import { saveCeiling, savePause } from './pause-rows.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { saveNotifiedDates } from './notified-date-rows.ts'
import { saveQuarantine } from './rejection-rows.ts'
import { countRequests } from './request-counts.ts'
import { Query } from './query.ts'

interface OldRow {
  readonly version: number
  readonly seen_body: number | null
  readonly reported_body: number | null
}

const FIND = new Query<OldRow>(
  'SELECT version, seen_body, reported_body FROM records WHERE account = ? AND resource = ? AND id = ?',
)
const REGISTER = 'INSERT INTO accounts (account) VALUES (?) ON CONFLICT DO NOTHING'
const SAVE = `
  INSERT INTO records (account, resource, id, seen_body, reported_body, version, last_event_id, at_baseline, first_seen_at,
    closed_at, removed_at, next_edge_at, settles_at, memory)
  VALUES (:account, :resource, :id, :seen, :reported, :version, :lastEventId, :atBaseline, :firstSeenAt, :closedAt,
    :removedAt, :nextEdgeAt, :settlesAt, :memory)
  ON CONFLICT (account, resource, id) DO UPDATE SET seen_body = :seen, reported_body = :reported, version = :version,
    last_event_id = :lastEventId, at_baseline = :atBaseline, first_seen_at = :firstSeenAt, closed_at = :closedAt,
    removed_at = :removedAt, next_edge_at = :nextEdgeAt, settles_at = :settlesAt,
    memory = :memory`
// A null pass leaves the last one: the read was not part of a pass over the record's list. A read that showed nothing is
// for its pass to count.
const SAVE_READ = `
  INSERT INTO reads (account, resource, id, fingerprint, sent_at, answered_at, pass, misses)
  VALUES (:account, :resource, :id, :fingerprint, :sentAt, :answeredAt, ifnull(:pass, 0), :misses)
  ON CONFLICT DO UPDATE SET fingerprint = :fingerprint, sent_at = :sentAt, answered_at = :answeredAt,
    pass = ifnull(:pass, pass), misses = CASE WHEN :fingerprint IS NULL AND :misses = 0 THEN misses ELSE :misses END`
const TOUCH = `
  UPDATE reads SET sent_at = ?, answered_at = ?, pass = ifnull(?, pass), misses = 0
  WHERE account = ? AND resource = ? AND id = ?`

// A removed record (its misses are null) is neither met nor missed until it is read again.
const MEET = `
  UPDATE reads SET pass = ifnull(?, pass), misses = 0
  WHERE account = ? AND resource = ? AND id = ? AND misses IS NOT NULL`
const MISS = 'UPDATE reads SET misses = misses + 1 WHERE account = ? AND resource = ? AND id = ?'

/** `PollStore.commit`, inside the caller's write transaction. */
export function commitBatch(db: Connection, batch: ReadBatch): void {
  const bodies = new BodyWriter(db)
  db.run(REGISTER, batch.account)
  const replaced = batch.records.flatMap((write) => saveRecord(db, { batch, write, bodies }))
  touchUnchanged(db, batch)
  countMeetings(db, batch)
  const { deliveries, events, sighting, storedAt } = batch
  appendEvents(db, { events, deliveries, bodies, sighting, storedAt })
  if (batch.dates !== undefined) saveNotifiedDates(db, batch.account, batch.dates)
  if (batch.requests !== undefined) countRequests(db, batch.account, batch.requests)
  if (batch.pause !== undefined) savePause(db, batch.account, batch.pause)
  if (batch.ceiling !== undefined) saveCeiling(db, batch.account, batch.ceiling)
  if (batch.list !== undefined) saveList(db, { account: batch.account, ...batch.list })
  if (batch.churning !== undefined) saveChurning(db, batch.account, batch.churning)
  if (batch.quarantine !== undefined) saveQuarantine(db, batch.account, batch.quarantine)
  if (batch.hold !== undefined) saveHold(db, { account: batch.account, ...batch.hold })
  // Only now: the events of this batch may point at what the records no longer do.
  for (const ref of replaced) dropUnusedBody(db, ref)
}

/** Returns the documents that the record no longer points at. */
function saveRecord(
  db: Connection,
  { batch, write, bodies }: { batch: ReadBatch; write: RecordWrite; bodies: BodyWriter },
): readonly number[] {
  const { state } = write
  const account = accountOf(batch, write)
  const old = db.one(FIND, account, state.resource, state.id)
  if ((old?.version ?? null) !== write.expectedVersion) throw conflict(batch.account, write)
  if (account !== batch.account) db.run(REGISTER, account)
  const seen = bodies.save(state.seen)
  const reported = bodies.save(state.reported)
  db.run(SAVE, {
    account,
    resource: state.resource,
    id: state.id,
    seen,
    reported,
    version: state.version,
    lastEventId: state.lastEventId,
    atBaseline: state.atBaseline ? 1 : 0,
    firstSeenAt: state.firstSeenAt,
    closedAt: state.closedAt,
    removedAt: state.removedAt,
    nextEdgeAt: state.nextEdgeAt,
    settlesAt: state.memory.settling?.dueAt ?? null,
    memory: JSON.stringify(state.memory),
  })
  if (write.read !== 'none') saveRead(db, batch, write)
  return [old?.seen_body ?? null, old?.reported_body ?? null]
    .filter((ref) => ref !== null)
    .filter((ref) => ref !== seen && ref !== reported)
}

function accountOf(batch: ReadBatch, { state }: RecordWrite): string {
  return state.resource === 'subscription' ? NO_ACCOUNT : batch.account
}

function saveRead(db: Connection, batch: ReadBatch, write: RecordWrite): void {
  const { state, fingerprint } = write
  db.run(SAVE_READ, {
    account: accountOf(batch, write),
    resource: state.resource,
    id: state.id,
    fingerprint,
    sentAt: state.lastRead.sentAt,
    answeredAt: state.lastRead.answeredAt,
    pass: metBy(batch, state.resource),
    misses: state.removedAt === null ? 0 : null,
  })
}

function touchUnchanged(db: Connection, batch: ReadBatch): void {
  if (batch.unchanged === undefined) return
  const { resource, ids, read } = batch.unchanged
  const pass = metBy(batch, resource)
  for (const id of ids) db.run(TOUCH, read.sentAt, read.answeredAt, pass, batch.account, resource, id)
}

function countMeetings(db: Connection, batch: ReadBatch): void {
  const { account, met, missed } = batch
  if (met !== undefined) {
    const pass = metBy(batch, met.resource)
    for (const id of met.ids) db.run(MEET, pass, account, met.resource, id)
  }
  if (missed !== undefined) for (const id of missed.ids) db.run(MISS, account, missed.resource, id)
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
