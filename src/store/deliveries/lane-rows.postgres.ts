import type { PlainRowOf } from '../tables/table.ts'
import type { TABLES } from '../tables/tables.ts'
import type { Write } from '../server/connection-transaction.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

/** The lane of a row that has, or had, a place in it. */
export type LaneOfRow = Pick<PlainRowOf<typeof TABLES.deliveries>, 'subscription' | 'lane'>

// `firstInLane`: claims of a subscription are few, and the rows of a lane may be many, which its index has in their order.
const FIRST = `
  WITH under_way AS MATERIALIZED (
    SELECT subscription, lane, min(event) AS event FROM claims JOIN deliveries USING (subscription, event)
    WHERE subscription = ANY(:subscriptions::text[]) AND turn IS NOT NULL GROUP BY 1, 2
  ), place AS MATERIALIZED (
    SELECT each.subscription, each.lane, coalesce(under_way.event, (
      SELECT event FROM deliveries
      WHERE subscription = each.subscription AND lane = each.lane AND turn IS NOT NULL
      ORDER BY event LIMIT 1
    )) AS event
    FROM unnest(:subscriptions::text[], :lanes::bigint[]) AS each (subscription, lane) LEFT JOIN under_way USING (subscription, lane)
  )`
const YIELD = Query.frequent(`${FIRST}
  UPDATE deliveries SET turn = 0 FROM place
  WHERE deliveries.subscription = place.subscription AND deliveries.lane = place.lane AND turn = 1
    AND deliveries.event IS DISTINCT FROM place.event`)
const GIVE = Query.frequent(`${FIRST}
  UPDATE deliveries SET turn = 1 FROM place
  WHERE deliveries.event = place.event AND deliveries.subscription = place.subscription AND turn = 0`)

/**
 * Passes on the turns of lanes of which a row came or went. Whoever writes rows of an endpoint holds it, and passes on the turns
 * behind that: a file leaves it to triggers, because each of its statements would be one more for every row.
 */
export function passTurns(rows: readonly LaneOfRow[]): readonly Write[] {
  const lanes = new Map(rows.map((row) => [JSON.stringify([row.subscription, row.lane]), row]))
  if (lanes.size === 0) return []
  const subscriptions = [...lanes.values()].map(({ subscription }) => subscription)
  const values = { subscriptions, lanes: [...lanes.values()].map(({ lane }) => lane) }
  return [
    { query: YIELD, values },
    { query: GIVE, values },
  ]
}

const OF_CLAIMS = `
  (subscription, event) IN (SELECT * FROM unnest(:subscriptions::text[], :events::bigint[])) AND turn IS NOT NULL`
const LANES = new Query<LaneOfRow>(`SELECT DISTINCT subscription, lane FROM deliveries WHERE ${OF_CLAIMS}`)
const LEAVE = new Query(`UPDATE deliveries SET turn = NULL WHERE ${OF_CLAIMS} AND state NOT IN ('pending', 'held')`)

/** Once claims have ended by themselves: rows that were discarded under way leave their lanes, and the turns pass on. */
export async function leaveLanes(
  tx: Transaction,
  ended: readonly { readonly subscription: string; readonly event: number }[],
): Promise<void> {
  const values = {
    subscriptions: ended.map(({ subscription }) => subscription),
    events: ended.map(({ event }) => event),
  }
  const lanes = ended.length === 0 ? [] : await tx.all(LANES, values)
  if (lanes.length === 0) return
  await tx.run(LEAVE, values)
  for (const { query, values: of } of passTurns(lanes)) await tx.run(query, of)
}
