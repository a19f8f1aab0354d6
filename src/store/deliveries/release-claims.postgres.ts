import type { Database } from '../server/database.ts'
import { lockEndpoints } from '../endpoints/endpoint-lock.postgres.ts'
import { Query } from '../server/query.ts'
import { leaveLanes } from './lane-rows.postgres.ts'

const STRAY = `
  SELECT claims.subscription, claims.event FROM claims JOIN deliveries USING (subscription, event)
  WHERE owner = :owner AND deliveries.id <> ALL(:sent::text[])`
const LOOK = new Query<{ subscription: string }>(`SELECT DISTINCT subscription FROM (${STRAY}) AS stray`)
const END = new Query<{ subscription: string; event: number }>(`
  DELETE FROM claims WHERE (subscription, event) IN (${STRAY}) RETURNING subscription, event`)

/** `DeliveryStore.releaseClaims`. Most looks find nothing, and hold nothing. */
export async function releaseClaims(db: Database, owner: string, sent: readonly string[]): Promise<number> {
  const stray = await db.all(LOOK, { owner, sent })
  if (stray.length === 0) return 0
  return await db.write(async (tx) => {
    const names = stray.map(({ subscription }) => subscription)
    await lockEndpoints(tx, names)
    const ended = await tx.all(END, { owner, sent })
    await leaveLanes(tx, ended)
    return ended.length
  })
}
