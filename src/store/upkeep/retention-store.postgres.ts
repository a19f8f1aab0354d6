import { OLDEST, sweptTo } from '../../ledger/events.ts'
import type { PayloadSweep, RetentionStore, SweptPayloads } from '../ports/retention-port.ts'
import { dropEnded, holdEvents } from './ledger-end.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { listRecords } from './record-listings.postgres.ts'
import { countExpired } from '../events/event-totals.postgres.ts'
import { DocumentWriter } from '../documents/documents.postgres.ts'
import { Query } from '../server/query.ts'

interface Candidate {
  readonly ref: number
  readonly storedAt: number
  readonly ended: boolean
}

interface Payload {
  readonly ref: number
  readonly object_body: number | null
  readonly before_body: number | null
  /** The extras of an event that corrects another one; null: it corrects nothing. */
  readonly extras: string | null
}

const HAS_OPEN = `EXISTS (
  SELECT 1 FROM deliveries WHERE event = events.ref AND (finished_at IS NULL OR finished_at > :before))`
// No row ends before its event rang, so the age of the event bounds the search. The rows of each are looked up only once the
// candidates are chosen, and again once these are held, because other workers write meanwhile.
const CANDIDATES = new Query<Candidate>(`
  SELECT ref, stored_at AS "storedAt", NOT ${HAS_OPEN} AS ended
  FROM (
    SELECT ref, stored_at FROM events
    WHERE expired_at IS NULL AND stored_at <= :before AND (stored_at, ref) > (:storedAt, :ref)
    ORDER BY stored_at, ref LIMIT :limit
  ) AS events
  ORDER BY stored_at, ref`)
const PAYLOADS = new Query<Payload>(`
  SELECT ref, object_body, before_body, CASE WHEN strpos(extras, '"corrects"') > 0 THEN extras END AS extras FROM events
  WHERE ref = ANY(:refs::bigint[]) AND expired_at IS NULL AND NOT ${HAS_OPEN}`)
const EXPIRE = new Query(`
  UPDATE events SET expired_at = :now, object_body = NULL, before_body = NULL, previous = NULL, shipment = NULL,
    changes = NULL, extras = kept.extras
  FROM unnest(:refs::bigint[], :extras::text[]) AS kept(ref, extras) WHERE events.ref = kept.ref`)
// An answer may echo what was sent.
const FORGET_ANSWERS = new Query(`
  UPDATE attempts SET answer = NULL
  WHERE answer IS NOT NULL AND delivery = ANY(ARRAY(SELECT ref FROM deliveries WHERE event = ANY(:refs::bigint[])))`)

export function retentionStore(db: Database): RetentionStore {
  return {
    expirePayloads: (sweep) => db.write(async (tx) => await expirePayloads(db, tx, sweep)),
    dropEnded: (sweep) => db.write(async (tx) => await dropEnded(tx, sweep)),
    listRecords: (most) => db.write(async (tx) => await listRecords(db, tx, most)),
  }
}

async function expirePayloads(
  db: Database,
  tx: Transaction,
  { before, now, after, limit }: PayloadSweep,
): Promise<SweptPayloads> {
  const candidates = await tx.all(CANDIDATES, { before, ...(after ?? OLDEST), limit })
  const ended = candidates.filter((event) => event.ended).map(({ ref }) => ref)
  const expired = ended.length === 0 ? [] : await expire(db, tx, { refs: ended, before, now })
  return { expired: expired.length, end: sweptTo(candidates, limit) }
}

async function expire(
  db: Database,
  tx: Transaction,
  { before, now, refs: asked }: { readonly refs: readonly number[]; readonly before: number; readonly now: number },
): Promise<readonly Payload[]> {
  await holdEvents(tx, asked)
  const payloads = await tx.all(PAYLOADS, { refs: asked, before })
  const refs = payloads.map(({ ref }) => ref)
  await tx.run(EXPIRE, { now, refs, extras: payloads.map(({ extras }) => keptExtras(extras)) })
  await countExpired(tx, refs)
  await tx.run(FORGET_ANSWERS, { refs })
  const documents = new DocumentWriter(db)
  for (const { before_body, object_body } of payloads) {
    documents.uses.remove(documents.held(object_body), documents.held(before_body))
  }
  await documents.settle(tx)
  return payloads
}

/** What an event corrects ties it to another, as its place in the chain does. */
function keptExtras(extras: string | null): string {
  const { corrects }: { readonly corrects?: unknown } = JSON.parse(extras ?? '{}')
  return JSON.stringify(typeof corrects === 'string' ? { corrects } : {})
}
