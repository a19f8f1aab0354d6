import type { Attempted } from '../ports/worker-port.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'

/** Attempts that take their numbers at once are stored one after the other: each look begins so many before the last one's end. */
const OVERLAP = 200
const MOST = 1_000

// Numbers end below those of before in a database that went back: it begins at the end there is.
const SINCE = new Query<{ ref: number; at: number; delivery: string }>(`
  SELECT attempts.ref, attempts.at, deliveries.id AS delivery FROM attempts JOIN deliveries ON deliveries.ref = attempts.delivery
  WHERE attempts.ref > least(:last, (SELECT coalesce(max(ref), 0) FROM attempts)) - ${OVERLAP}
  ORDER BY attempts.ref DESC LIMIT :most`)

export async function attemptsSince(db: Database, before: Attempted | null): Promise<Attempted> {
  const rows = await db.all(SINCE, { last: before?.last ?? Number.MAX_SAFE_INTEGER, most: MOST })
  const named = rows.map(({ at, delivery, ref }) => ({ delivery, name: `${ref} ${delivery} ${at}` }))
  const seen = before?.seen ?? new Set(named.map(({ name }) => name))
  const fresh = named.filter(({ name }) => !seen.has(name))
  return {
    last: rows[0]?.ref ?? 0,
    seen: new Set(named.map(({ name }) => name)),
    deliveries: [...new Set(fresh.map(({ delivery }) => delivery))].toReversed(),
  }
}
