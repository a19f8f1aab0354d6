import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'
import { T } from './samples.ts'

const STORED =
  '[{"id":"A","prints":["one","two"],"passes":2},{"id":"B","prints":["x","y"],"passes":1,"isProved":false}]'

test('id collisions are read from, and written to, a store as every release has stored them', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    {
      await using store = openStore({ path })
      await store.startPass('acme', 'shipment', T)
    }
    const db = new Sqlite(path)
    db.prepare('UPDATE lists SET twins = ?').run(STORED)
    {
      await using store = openStore({ path })
      expect((await store.listState('acme', 'shipment')).idCollisions).toEqual([
        { id: 'A', hashes: ['one', 'two'], passes: 2 },
        { id: 'B', hashes: ['x', 'y'], passes: 1, isProved: false },
      ])
      await store.startPass('acme', 'shipment', T)
    }
    expect(db.prepare('SELECT twins FROM lists').pluck().get()).toBe(STORED)
    db.close()
  })
})
