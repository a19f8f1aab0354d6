import type { Cooldown } from '../../model/attempt-result.ts'
import type { CooldownStore, SteadyMark, SteadyStore } from '../ports/delivery-port.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { reconsiderAll } from '../endpoints/sync-subscriptions.postgres.ts'

const LOAD = Query.frequent<SteadyMark>('SELECT latest, ahead AS "aheadMs" FROM steady_time')
const SAVE = new Query('UPDATE steady_time SET latest = greatest(latest, :latest), ahead = :aheadMs')
const COOLDOWNS = Query.frequent<Cooldown>('SELECT address, until FROM rests ORDER BY address')

export function waitStore(db: Database): SteadyStore & CooldownStore {
  return {
    cooldowns: () => db.all(COOLDOWNS),
    steadyTime: async () => (await db.one(LOAD)) ?? { latest: 0, aheadMs: 0 },
    // Endpoints are held before the one row of the time, by everybody.
    keepSteadyTime: (mark) =>
      db.write(async (tx) => {
        await reconsiderAll(tx, mark.latest - mark.aheadMs)
        await tx.run(SAVE, { ...mark })
      }),
  }
}
