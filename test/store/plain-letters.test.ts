import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { withFolder } from './folder.ts'
import { batch, sampleState, write } from './samples.ts'

const NAMES = { L: 'Chairs to Łódź', S: 'HAUPTSTRASSE', E: 'Hauptstraße', C: 'Châlons', P: 'Port of Aarhus, Ærø' }
/** The records of these names that the index of an earlier version does not have as they are searched for. */
const OTHERWISE = ['E', 'L', 'P']

async function keep(store: Store): Promise<void> {
  const states = Object.entries(NAMES).map(([id, name]) => {
    const seen = { platform_shipment_id: id, name }
    return sampleState(id, { seen, reported: seen })
  })
  await store.commit(batch({ records: states.map((state) => write(state)) }))
  while ((await store.indexQueued(7)) > 0);
}

test('an older store in a file has indexed anew what has letters that no accent makes of others', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    {
      await using store = openStore({ path })
      await keep(store)
    }
    const before = new Sqlite(path)
    before.pragma('user_version = 36')
    before.close()
    {
      await using _ = openStore({ path })
    }
    const db = new Sqlite(path)
    const queued = db.prepare('SELECT id FROM search_queue JOIN records ON ref = record ORDER BY id').pluck().all()
    db.close()
    expect(queued).toEqual(OTHERWISE)
  })
})

test('so has one in PostgreSQL', async () => {
  const url = await (await postgresDatabases()).take()
  await using store = await openPostgresStore({ url, pool: 2 })
  await keep(store)
  const sql = readFileSync(new URL('../../src/store/server/migrations/0034-plain-letters.sql', import.meta.url), 'utf8')
  const db = new Database({ url, pool: 1 })
  await db.write(async (tx) => await tx.run(new Query(sql)))
  const queued = await db.all(
    new Query<{ id: string }>('SELECT id FROM search_queue JOIN records ON ref = record ORDER BY id'),
  )
  await db[Symbol.asyncDispose]()
  expect(queued.map(({ id }) => id)).toEqual(OTHERWISE)
})
