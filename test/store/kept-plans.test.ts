import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const TIME = Query.frequent<{ latest: number }>('SELECT latest FROM steady_time')
const KEPT = new Query<{ kept: number }>('SELECT count(*) AS kept FROM pg_prepared_statements')

/** How many plans a connection keeps after a frequent statement. */
async function keptBy(url: string): Promise<number> {
  await using db = new Database({ url, pool: 1 })
  for (let time = 0; time < 3; time += 1) expect(await db.one(TIME)).toEqual({ latest: 0 })
  return (await db.one(KEPT))?.kept ?? -1
}

test('plans of what is frequent are kept, but not behind a pooler', async () => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  await using proxy = await DatabaseProxy.start(url)
  expect(await keptBy(proxy.url)).toBe(1)
  proxy.isPooler = true
  expect(await keptBy(proxy.url)).toBe(0)
  await databases.giveBack(url)
})
