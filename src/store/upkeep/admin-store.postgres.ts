import { TABLES } from '../tables/tables.ts'
import { enabledAnew } from '../../ledger/endpoint-state.ts'
import type { AdminStore, EndedSession } from '../ports/admin-port.ts'
import type { ExceptionStore } from '../ports/exception-port.ts'
import { acknowledge } from '../exceptions/exception-rows.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { IS_OPEN } from '../endpoints/endpoint-record.ts'
import { changeEndpoint } from '../endpoints/endpoint-record.postgres.ts'
import { disable } from '../endpoints/endpoint-store.postgres.ts'
import { settleSlice, unsettle } from '../endpoints/sync-endpoints.postgres.ts'
import { retryDeliveries } from '../deliveries/delivery-rows.postgres.ts'
import { claimWatermark, endFeed } from '../feeds/feed-rows.postgres.ts'
import type { FeedStore } from '../ports/feed-port.ts'
import { judge } from '../lists/hold-rows.postgres.ts'
import { Query } from '../server/query.ts'

const LOCK = new Query<{ open: boolean }>(`
  SELECT ${IS_OPEN} AS open FROM endpoints WHERE subscription = :subscription FOR NO KEY UPDATE`)
const HELD = new Query<{ amount: number }>(`
  SELECT amount FROM tallies WHERE subscription = :subscription AND state = 'held'`)
// A subscription that is missing from the file gets no new rows from then on (`LEAVE_OUT`).
const DISCARD = new Query(`
  UPDATE endpoints SET discards_to = (SELECT max(ref) FROM events), enabled = enabled * configured
  WHERE subscription = :subscription`)
const END = new Query(`${TABLES.ended_sessions.insertNamed} ON CONFLICT DO NOTHING`)
const FORGET = new Query(`
  DELETE FROM ended_sessions WHERE id IN (
    SELECT id FROM ended_sessions WHERE expires_at <= :now ORDER BY id FOR UPDATE SKIP LOCKED
  )`)
const ENDED = new Query<EndedSession>(
  'SELECT id, expires_at AS "expiresAt" FROM ended_sessions WHERE expires_at > :now ORDER BY id',
)

/** Endpoints are held before they are changed, because other workers send at the same time. */
export function adminStore(
  db: Database,
): AdminStore & Pick<ExceptionStore, 'acknowledge'> & Pick<FeedStore, 'endFeed' | 'claimWatermark'> {
  return {
    retry: (ids, options) => db.write(async (tx) => await retryDeliveries(tx, ids, options)),
    disable: (subscription, disabling) => db.write(async (tx) => await disable(tx, subscription, disabling)),
    enable: (subscription, options) => db.write(async (tx) => await enable(tx, subscription, options)),
    discard: (subscription, at) =>
      db.write(async (tx) => {
        await tx.all(LOCK, { subscription })
        return await discard(tx, subscription, at)
      }),
    settleRows: (at, subscription) => db.write(async (tx) => await settleSlice(tx, at, subscription)),
    endFeed: (ending) => db.write(async (tx) => await endFeed(tx, ending)),
    claimWatermark: (claim) => db.write(async (tx) => await claimWatermark(tx, claim)),
    judge: (held, verdict) => db.write(async (tx) => await judge(tx, held, verdict)),
    acknowledge: (id, acknowledgement) => db.write(async (tx) => await acknowledge(tx, id, acknowledgement)),
    endSession: (session, now) =>
      db.write(async (tx) => {
        await tx.run(FORGET, { now })
        await tx.run(END, { ...session })
      }),
    endedSessions: (now) => db.all(ENDED, { now }),
  }
}

async function enable(
  tx: Transaction,
  subscription: string,
  { at, discard: isDropped }: { readonly at: number; readonly discard: boolean },
): Promise<number> {
  await changeEndpoint(tx, subscription, enabledAnew)
  if (isDropped) return await discard(tx, subscription, at)
  const isOpen = (await tx.one(LOCK, { subscription }))?.open === true
  const released = isOpen ? await held(tx, subscription) : 0
  await unsettle(tx, subscription, at)
  return released
}

/** The endpoint is held. */
async function discard(tx: Transaction, subscription: string, at: number): Promise<number> {
  const discarded = await held(tx, subscription)
  await tx.run(DISCARD, { subscription })
  await unsettle(tx, subscription, at)
  return discarded
}

async function held(tx: Transaction, subscription: string): Promise<number> {
  return (await tx.one(HELD, { subscription }))?.amount ?? 0
}
