import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import type { RequestCount } from '../../src/store/ports/account-state-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { StoreFile } from '../support/store-file.ts'
import { batchOf } from './commit-batches.ts'
import { step, type Step } from './commit-steps.ts'
import { T } from './samples.ts'
import { postgresRows, sqliteRows } from './store-rows.ts'

/** So that hours and days pass. */
const BETWEEN_MS = 17 * 60_000

/** How it ended: one that is refused must be refused by both, in the same words. */
async function take(store: Store, each: Step, now: number): Promise<string> {
  try {
    if (each.do === 'commit') await store.commit(await batchOf(store, each, now))
    else if (each.do === 'startPass') await store.startPass(each.account, each.resource, now)
    else if (each.do === 'calendar') return String(await store.calendar.configure(each.account, each.settings))
    else if (each.do === 'sweep') {
      const sweep = { before: now, after: null, limit: each.limit }
      const { expired } = await store.expirePayloads({ ...sweep, now })
      return `${expired} ${each.dropsToo ? (await store.dropEnded(sweep)).dropped : 0}`
    } else await countRequests(store, each.account, { at: now, amount: each.amount, budgetPerHour: 60 })
    return 'done'
  } catch (error) {
    return String(error)
  }
}

/** Alone, or as a part of what is committed. */
async function countRequests(store: Store, account: string, count: RequestCount): Promise<void> {
  if (count.amount % 2 === 0) await store.countRequests(account, count)
  else await store.commit({ ...NOTHING, account, changes: [{ kind: 'requests', count }] })
}

const NOTHING = { records: [], events: [], deliveries: [], dates: [] }

test('whatever is committed, both stores hold the same of it, and count what they hold', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      const url = await databases.take()
      {
        await using file = new StoreFile()
        await using store = await openPostgresStore({ url, pool: 2 })
        for (const each of [store, file.store])
          await each.syncSubscriptions([{ name: 'erp', enabled: true, order: 'subject' }], T)
        for (const [index, each] of steps.entries()) {
          const now = T + index * BETWEEN_MS
          expect(await take(store, each, now)).toBe(await take(file.store, each, now))
        }
        const rows = await postgresRows(url)
        expect(rows).toEqual(sqliteRows(file.path))
        for (const counted of ['miscounted', 'missized', 'misspanned']) expect(rows[counted]).toEqual([])
      }
      await databases.giveBack(url)
    }),
    runs(3),
  )
})
