import { type FeedRow, walkFeed } from '../../ledger/feeds.ts'
import { EndpointRecords } from '../endpoints/endpoint-record.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { ClaimedWatermark, EndedFeed, EndingFeed, WatermarkClaim } from '../ports/feed-port.ts'
import { claimed, WATERMARK_COLUMNS, type WatermarkRow } from './watermark-rows.ts'
import { afterEnding, ENDED, endedFeed, endedValues } from './feed-rows.ts'

const FROM = new Query<{ from: number }>('SELECT ended_position AS "from" FROM endpoints WHERE subscription = ?')
const LOOK = new Query<FeedRow>(`
  SELECT ref, id, position, state, next_attempt_at FROM deliveries INDEXED BY deliveries_position
  WHERE subscription = ? AND position IS NOT NULL AND position > ? ORDER BY position LIMIT CAST(? AS INTEGER)`)
// Turns follow by triggers.
const END = `UPDATE deliveries SET ${ENDED} WHERE ref IN (SELECT value FROM json_each(:refs))`
const MOVE = 'UPDATE endpoints SET ended_position = :to WHERE subscription = :subscription'

const WATERMARK = new Query<WatermarkRow>(`SELECT ${WATERMARK_COLUMNS} FROM endpoints WHERE subscription = ?`)
const MOVE_WATERMARK = 'UPDATE endpoints SET watermark_at = :dueAt WHERE subscription = :subscription'

/** `FeedStore.claimWatermark`, inside the caller's write transaction. */
export function claimWatermark(db: Connection, claim: WatermarkClaim): ClaimedWatermark {
  const { dueAt, ...found } = claimed(db.one(WATERMARK, claim.subscription), claim)
  if (found.isDue) db.run(MOVE_WATERMARK, { subscription: claim.subscription, dueAt })
  return found
}

/** `FeedStore.endFeed`, inside the caller's write transaction. Nothing is held, because SQLite has one writer at a time. */
export function endFeed(db: Connection, ending: EndingFeed): EndedFeed {
  const { most, subscription } = ending
  const from = db.one(FROM, subscription)?.from ?? 0
  const rows = db.all(LOOK, subscription, from, most)
  const walked = walkFeed(rows, from, ending.ending)
  const ended = walked.ended.length
  if (ending.ending !== null && ended > 0)
    db.run(END, { ...endedValues(ending.at, ending.ending), refs: JSON.stringify(walked.ended.map(({ ref }) => ref)) })
  if (walked.to > from) db.run(MOVE, { subscription, to: walked.to })
  const endpoints = new EndpointRecords(db)
  const before = endpoints.of(subscription)
  const endpoint = afterEnding(before, { ...ending, ended })
  if (endpoint !== before) endpoints.set(endpoint)
  endpoints.write()
  return endedFeed(walked, { looked: rows.length, most })
}
