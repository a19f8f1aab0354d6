import { TABLES } from '../tables/tables.ts'
import type { AdminStore, EndedSession } from '../ports/admin-port.ts'
import type { ExceptionStore } from '../ports/exception-port.ts'
import { acknowledge } from '../exceptions/exception-rows.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { retryDelivery } from '../deliveries/delivery-rows.sqlite.ts'
import { disable, enableAnew, isOpenAt, unsettle } from '../endpoints/endpoint-store.sqlite.ts'
import { claimWatermark, endFeed } from '../feeds/feed-rows.sqlite.ts'
import type { FeedStore } from '../ports/feed-port.ts'
import { judge } from '../lists/hold-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { settleSlice } from '../endpoints/sync-endpoints.sqlite.ts'

const HELD = new Query<{ amount: number }>("SELECT amount FROM tallies WHERE subscription = ? AND state = 'held'")
// A subscription that is missing from the file gets no new rows from then on (`LEAVE_OUT`).
const DISCARD = `
  UPDATE endpoints SET discards_to = (SELECT max(ref) FROM events), enabled = enabled * configured
  WHERE subscription = ?`
const END = `${TABLES.ended_sessions.insertNamed} ON CONFLICT DO NOTHING`
const FORGET = 'DELETE FROM ended_sessions WHERE expires_at <= ?'
const ENDED = new Query<EndedSession>(
  'SELECT id, expires_at AS expiresAt FROM ended_sessions WHERE expires_at > ? ORDER BY id',
)

/** No row is held before it is changed, because SQLite has one writer at a time. */
export function adminStore(
  db: Connection,
): AdminStore & Pick<ExceptionStore, 'acknowledge'> & Pick<FeedStore, 'endFeed' | 'claimWatermark'> {
  return {
    retry: (ids, options) =>
      db.write(() =>
        ids.reduce((pending, id) => (retryDelivery(db, id, options) === 'pending' ? pending + 1 : pending), 0),
      ),
    disable: (subscription, disabling) => db.write(() => disable(db, subscription, disabling)),
    enable: (subscription, options) => db.write(() => enable(db, subscription, options)),
    discard: (subscription, at) => db.write(() => discard(db, subscription, at)),
    settleRows: (at, subscription) => db.write(() => settleSlice(db, at, subscription)),
    endFeed: (ending) => db.write(() => endFeed(db, ending)),
    claimWatermark: (claim) => db.write(() => claimWatermark(db, claim)),
    judge: (held, verdict) => db.write(() => judge(db, held, verdict)),
    acknowledge: (id, acknowledgement) => db.write(() => acknowledge(db, id, acknowledgement)),
    endSession: ({ expiresAt, id }, now) =>
      db.write(() => {
        db.run(FORGET, now)
        db.run(END, { id, expiresAt })
      }),
    endedSessions: async (now) => db.all(ENDED, now),
  }
}

/** Writes a row, for a refusal to show. */
export function probe(db: Connection): void {
  db.transact('BEGIN IMMEDIATE', () => writeProbe(db))
}

export function writeProbe(db: Connection): void {
  db.run('UPDATE liveness SET checks = checks + 1')
}

function enable(
  db: Connection,
  subscription: string,
  options: { readonly at: number; readonly discard: boolean },
): number {
  enableAnew(db, subscription)
  if (options.discard) return discard(db, subscription, options.at)
  const released = isOpenAt(db, subscription) ? held(db, subscription) : 0
  unsettle(db, subscription, options.at)
  return released
}

function discard(db: Connection, subscription: string, at: number): number {
  const discarded = held(db, subscription)
  db.run(DISCARD, subscription)
  unsettle(db, subscription, at)
  return discarded
}

function held(db: Connection, subscription: string): number {
  return db.one(HELD, subscription)?.amount ?? 0
}
