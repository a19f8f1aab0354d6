import type { Attempted } from '../worker-port.ts'
import type { Database } from './database.ts'
import { Query } from './query.ts'

/** Attempts that take their numbers at once are stored one after the other: each look begins so many before the last one's end. */
const OVERLAP = 200
const MOST = 1_000

const LAST = new Query<{ last: number }>('SELECT coalesce(max(ref), 0) AS last FROM attempts')
const SINCE = new Query<{ ref: number; delivery: string }>(`
  SELECT attempts.ref, deliveries.id AS delivery FROM attempts JOIN deliveries ON deliveries.ref = attempts.delivery
  WHERE attempts.ref > :after ORDER BY attempts.ref DESC LIMIT :most`)

export async function attemptsSince(db: Database, before: Attempted | null): Promise<Attempted> {
  const last = before?.last ?? (await db.one(LAST))?.last ?? 0
  const rows = await db.all(SINCE, { after: Math.max(0, last - OVERLAP), most: MOST })
  const seen = before?.seen ?? new Set(rows.map(({ ref }) => ref))
  const fresh = rows.filter(({ ref }) => !seen.has(ref))
  return {
    last: rows[0]?.ref ?? last,
    seen: new Set(rows.map(({ ref }) => ref)),
    deliveries: [...new Set(fresh.map(({ delivery }) => delivery))].toReversed(),
  }
}
