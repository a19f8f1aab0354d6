import { type FeedRow, walkFeed } from '../../ledger/feeds.ts'
import { changeEndpoint } from '../endpoints/endpoint-record.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import type { ClaimedWatermark, EndedFeed, EndingFeed, WatermarkClaim } from '../ports/feed-port.ts'
import { claimed, WATERMARK_COLUMNS, type WatermarkRow } from './watermark-rows.ts'
import { afterEnding, ENDED, endedFeed, endedValues } from './feed-rows.ts'

const HOLD = new Query<{ from: number }>(
  'SELECT ended_position AS "from" FROM endpoints WHERE subscription = :subscription FOR NO KEY UPDATE',
)
const LOOK = new Query<FeedRow>(`
  SELECT ref, id, position, state, next_attempt_at FROM deliveries
  WHERE subscription = :subscription AND position IS NOT NULL AND position > :from ORDER BY position LIMIT :most`)
// What is taken from a feed has no order of sending: a turn is left from before.
const END = new Query(`UPDATE deliveries SET ${ENDED}, turn = NULL WHERE ref = ANY(:refs::bigint[])`)
const MOVE = new Query('UPDATE endpoints SET ended_position = :to WHERE subscription = :subscription')

const WATERMARK = new Query<WatermarkRow & { readonly now: number }>(`
  SELECT ${WATERMARK_COLUMNS}, database_time() AS now FROM endpoints WHERE subscription = :subscription FOR NO KEY UPDATE`)
const MOVE_WATERMARK = new Query('UPDATE endpoints SET watermark_at = :dueAt WHERE subscription = :subscription')

/** `FeedStore.claimWatermark`, inside the caller's write transaction: by the clock of the database, because workers' clocks differ. */
export async function claimWatermark(tx: Transaction, claim: WatermarkClaim): Promise<ClaimedWatermark> {
  const { everyMs, subscription } = claim
  const row = await tx.one(WATERMARK, { subscription })
  const { dueAt, ...found } = claimed(row, { everyMs, now: row?.now ?? claim.now })
  if (found.isDue) await tx.run(MOVE_WATERMARK, { subscription, dueAt })
  return found
}

/** `FeedStore.endFeed`, inside the caller's write transaction. The endpoint is held, because other workers write its rows. */
export async function endFeed(tx: Transaction, ending: EndingFeed): Promise<EndedFeed> {
  const { most, subscription } = ending
  const from = (await tx.one(HOLD, { subscription }))?.from ?? 0
  const rows = await tx.all(LOOK, { subscription, from, most })
  const walked = walkFeed(rows, from, ending.ending)
  const ended = walked.ended.length
  if (ending.ending !== null && ended > 0)
    await tx.run(END, { ...endedValues(ending.at, ending.ending), refs: walked.ended.map(({ ref }) => ref) })
  if (walked.to > from) await tx.run(MOVE, { subscription, to: walked.to })
  await changeEndpoint(tx, subscription, (endpoint) => afterEnding(endpoint, { ...ending, ended }))
  return endedFeed(walked, { looked: rows.length, most })
}
