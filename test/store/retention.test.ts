import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { withFolder } from './folder.ts'
import { batch, sampleEvent, T } from './samples.ts'

function textsKept(path: string): unknown {
  const db = new Sqlite(path, { readonly: true })
  try {
    return db.prepare('SELECT count(previous) FROM events').pluck().get()
  } finally {
    db.close()
  }
}

test('a store whose payloads expire stops growing: the next ones take the room of the last', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'shipbell.db')
    const sizes: number[] = []
    for (let month = 0; month < 5; month += 1) {
      const store = openStore({ path })
      const events = Array.from({ length: 200 }, (_, index) => {
        const object = { month, index, text: randomBytes(3_000).toString('base64') }
        return sampleEvent(`evt_${month}_${index}`, { timestamp: T + month, object, before: null })
      })
      await store.commit(batch({ events }))
      await store.expirePayloads({ before: T + month, now: T, after: null, limit: 1_000 })
      await store[Symbol.asyncDispose]()
      sizes.push(statSync(path).size)
    }
    expect(textsKept(path)).toBe(0)
    const [first = 0, ...later] = sizes
    expect(first).toBeGreaterThan(600_000)
    // The ledger itself grows a little.
    expect(Math.max(...later)).toBeLessThan(first * 1.5)
  })
})
