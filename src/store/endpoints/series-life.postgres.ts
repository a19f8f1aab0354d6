import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { RENEW_SERIES } from './sync-endpoints.postgres.ts'

const LIFE = new Query<{ life: string }>('SELECT life FROM series_life')
const BEGIN = new Query<{ life: string }>(`
  INSERT INTO series_life AS known (life) VALUES (:life)
  ON CONFLICT (one) DO UPDATE SET life = excluded.life WHERE known.life <> excluded.life RETURNING life`)

/**
 * Names all series anew where the database is not in the life that they were named in: it was restored, or a standby was promoted, and may
 * lack the last commits. To be called before anything is committed there. A file is restored by a command, which does so itself.
 * Whoever only reads leaves it to the next one who writes.
 */
export async function followLife(db: Database): Promise<void> {
  if (db.readonly) return
  const life = await db.life()
  if ((await db.one(LIFE))?.life === life) return
  await db.write(async (tx) => {
    if ((await tx.one(BEGIN, { life })) !== undefined) await tx.run(RENEW_SERIES)
  })
}
