import { leaveLanes } from './lane-rows.postgres.ts'
import { countAtOnce } from './pace-rows.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'

/** Whether whoever `owner` names is alive; `:alive` null: as the workers have it that live. */
function isAlive(owner: string): string {
  return `CASE WHEN :alive::text[] IS NULL THEN EXISTS (SELECT 1 FROM workers WHERE id = ${owner}) ELSE ${owner} = ANY(:alive::text[]) END`
}

const HOLD = new Query<{ subscription: string; paced_ms: number | null }>(`
  SELECT subscription, paced_ms FROM endpoints
  WHERE (gatherer IS NOT NULL AND NOT ${isAlive('gatherer')}) OR EXISTS (
    SELECT 1 FROM claims WHERE claims.subscription = endpoints.subscription AND NOT ${isAlive('owner')}
  )
  ORDER BY subscription FOR NO KEY UPDATE`)
const END = new Query<{ subscription: string; event: number }>(`
  DELETE FROM claims WHERE subscription = ANY(:names::text[]) AND NOT ${isAlive('owner')} RETURNING subscription, event`)
const LET_GO = new Query(`
  UPDATE endpoints SET gatherer = NULL, gathers_until = NULL
  WHERE subscription = ANY(:names::text[]) AND gatherer IS NOT NULL AND NOT ${isAlive('gatherer')}`)

/**
 * `DeliveryStore.recoverClaims`. Claims are rows, because other workers must see them. A worker that joins meanwhile is known by whoever
 * holds the endpoint that it claimed under. `alive` null: those among the workers of the store.
 */
export async function recoverClaims(tx: Transaction, alive: readonly string[] | null, now: number): Promise<number> {
  const held = await tx.all(HOLD, { alive })
  if (held.length === 0) return 0
  const names = held.map(({ subscription }) => subscription)
  const ended = await tx.all(END, { names, alive })
  const paced = new Set(held.flatMap(({ paced_ms: paced, subscription }) => (paced === null ? [] : [subscription])))
  const counted = ended.flatMap(({ subscription }) => (paced.has(subscription) ? [{ subscription, amount: 1 }] : []))
  for (const { query, values } of countAtOnce(counted, now)) await tx.run(query, values)
  await leaveLanes(tx, ended)
  await tx.run(LET_GO, { names, alive })
  return ended.length
}

const STRAY = `
  SELECT claims.subscription, claims.event FROM claims JOIN deliveries USING (subscription, event)
  WHERE owner = :owner AND deliveries.id <> ALL(:sent::text[])`
const FIND_STRAY = new Query<{ subscription: string }>(`SELECT DISTINCT subscription FROM (${STRAY}) AS stray`)
const END_STRAY = new Query<{ subscription: string; event: number }>(`
  DELETE FROM claims WHERE (subscription, event) IN (${STRAY}) RETURNING subscription, event`)

/** `DeliveryStore.releaseClaims`. Most looks find nothing, and hold nothing. */
export async function releaseClaims(db: Database, owner: string, sent: readonly string[]): Promise<number> {
  const stray = await db.all(FIND_STRAY, { owner, sent })
  if (stray.length === 0) return 0
  return await db.write(async (tx) => {
    const names = stray.map(({ subscription }) => subscription)
    await lockEndpoints(tx, names)
    const ended = await tx.all(END_STRAY, { owner, sent })
    await leaveLanes(tx, ended)
    return ended.length
  })
}
