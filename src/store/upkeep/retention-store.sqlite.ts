import { OLDEST, sweptTo } from '../../ledger/events.ts'
import type { PayloadSweep, RetentionStore, SweptPayloads } from '../ports/retention-port.ts'
import { listRecords } from './record-listings.sqlite.ts'
import { countExpired } from '../events/event-totals.sqlite.ts'
import { BodyUses } from '../documents/documents.sqlite.ts'
import type { OpenClaims } from '../deliveries/open-claims.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { dropEnded } from './ledger-end.sqlite.ts'
import { Query } from '../file/query.ts'

interface Candidate {
  readonly ref: number
  readonly storedAt: number
  readonly object_body: number | null
  readonly before_body: number | null
  readonly ended: number
}

// No row ends before its event rang, so the age of the event bounds the search. One look is enough, because SQLite has one writer at a
// time.
const CANDIDATES = new Query<Candidate>(`
  SELECT ref, stored_at AS storedAt, object_body, before_body, NOT EXISTS (
    SELECT 1 FROM deliveries WHERE event = events.ref AND (finished_at IS NULL OR finished_at > :before)
  ) AS ended
  FROM events INDEXED BY events_kept
  WHERE expired_at IS NULL AND stored_at <= :before AND (stored_at, ref) > (:storedAt, :ref)
  ORDER BY stored_at, ref LIMIT :limit`)
// What an event corrects ties it to another, as its place in the chain does.
const EXPIRE = `
  UPDATE events SET expired_at = ?, object_body = NULL, before_body = NULL, previous = NULL, shipment = NULL,
    changes = NULL, extras = json_patch('{}', json_object('corrects', extras ->> '$.corrects'))
  WHERE ref = ?`
// An answer may echo what was sent.
const FORGET_ANSWERS = `
  UPDATE attempts SET answer = NULL
  WHERE answer IS NOT NULL AND delivery IN (SELECT ref FROM deliveries WHERE event = ?)`

/**
 * The pages that payloads and rows leave are filled by those of the next events, so the file ends growing once it has held a
 * `retention` of them. That is why there is no `auto_vacuum`: it would keep a back pointer for every page and move pages
 * about for nothing.
 */
export function retentionStore(db: Connection, claims: OpenClaims): RetentionStore {
  return {
    expirePayloads: (sweep) => db.write(() => expirePayloads(db, sweep)),
    dropEnded: (sweep) => db.write(() => dropEnded(db, claims, sweep)),
    listRecords: (most) => db.write(() => listRecords(db, most)),
  }
}

function expirePayloads(db: Connection, { before, now, after, limit }: PayloadSweep): SweptPayloads {
  const candidates = db.all(CANDIDATES, { before, ...(after ?? OLDEST), limit })
  const ended = candidates.filter(({ ended }) => ended === 1)
  const uses = new BodyUses()
  for (const event of ended) {
    uses.remove(event.object_body, event.before_body)
    db.run(EXPIRE, now, event.ref)
    db.run(FORGET_ANSWERS, event.ref)
  }
  uses.settle(db)
  countExpired(
    db,
    ended.map(({ ref }) => ref),
  )
  return { expired: ended.length, end: sweptTo(candidates, limit) }
}
