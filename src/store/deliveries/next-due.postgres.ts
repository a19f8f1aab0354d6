import { IS_SENDING } from '../endpoints/open-endpoint.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'

const OF_ENDPOINT = `subscription = endpoint.subscription AND state = 'pending' AND turn IS DISTINCT FROM 0`
const READY = `
  SELECT next_attempt_at AS at FROM deliveries WHERE ${OF_ENDPOINT} AND wake_at IS NULL AND event <> ALL (claimed.events)`
// One number is asked of all endpoints: each branch is one step into an index.
const NEXT_DUE = Query.frequent<{ at: number | null }>(`
  SELECT min(due.at) AS at FROM (
    SELECT subscription, ${IS_SENDING} AS sends FROM endpoints
    WHERE :subscriptions::text[] IS NULL OR subscription = ANY(:subscriptions)
  ) AS endpoint CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(event), '{}') AS events, min(until) AS until FROM claims
    WHERE subscription = endpoint.subscription AND until > 0
  ) AS claimed CROSS JOIN LATERAL (
    (${READY} AND sends ORDER BY event LIMIT 1)
    UNION ALL (${READY} AND NOT sends AND test = 1 ORDER BY event LIMIT 1)
    UNION ALL (
      SELECT wake_at FROM deliveries WHERE ${OF_ENDPOINT} AND wake_at IS NOT NULL AND sends ORDER BY wake_at LIMIT 1
    )
    UNION ALL SELECT claimed.until WHERE sends
  ) AS due`)

/** `DeliveryStore.nextDueAt`. */
export async function nextDueAt(db: Database, subscriptions: readonly string[] | null): Promise<number | null> {
  return (await db.glance(NEXT_DUE, { subscriptions }))[0]?.at ?? null
}
