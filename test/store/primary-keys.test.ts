import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { T } from './samples.ts'

const KEYLESS = new Query<{ name: string }>(`
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)`)

test('every table of a database has a primary key, so that all of them can be published', async () => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  {
    await using db = new Database({ url, pool: 1 })
    await using store = await openPostgresStore({ url, pool: 2 })
    expect(await db.all(KEYLESS)).toEqual([])
    await db.write(async (tx) => tx.script('CREATE PUBLICATION everything FOR ALL TABLES'))
    await store.keepSteadyTime({ latest: T, aheadMs: 1 })
    expect((await store.waits()).steady).toEqual({ latest: T, aheadMs: 1 })
    await db.write(async (tx) => tx.script('DROP PUBLICATION everything'))
  }
  await databases.giveBack(url)
})
