import { describe, expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { attempt, batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'

const ODD = [
  'array_nulls = off',
  'extra_float_digits = -10',
  'gin_fuzzy_search_limit = 1',
  `lock_timeout = '1ms'`,
  'transform_null_equals = on',
]
const SHOWN = new Query<{ nulls: string; digits: string; finds: string }>(`
  SELECT current_setting('array_nulls') AS nulls, current_setting('extra_float_digits') AS digits,
    current_setting('gin_fuzzy_search_limit') AS finds`)
const SET = { nulls: 'on', digits: '1', finds: '0' }
const TOLD = new Query<{ state: string; error: string | null; answer: string | null }>(`
  SELECT state, attempts.error, answer FROM deliveries JOIN attempts ON delivery = deliveries.ref ORDER BY event`)

/** Of a database whose owner has set some things for whoever connects. */
async function withOdd(act: (url: string) => Promise<void>): Promise<void> {
  const databases = await postgresDatabases()
  const url = await databases.take()
  const name = new URL(url.replace('postgres:///', 'postgres://localhost/')).pathname.slice(1)
  const alter = async (change: string): Promise<void> => {
    await using db = new Database({ url, pool: 1 })
    await db.write(async (tx) => tx.script(`ALTER DATABASE ${name} ${change}`))
  }
  for (const setting of ODD) await alter(`SET ${setting}`)
  try {
    await act(url)
  } finally {
    await alter('RESET ALL')
  }
  await databases.giveBack(url)
}

describe.each([
  { how: 'straight to the server', isPooler: false },
  { how: 'through a pooler', isPooler: true },
])('where the settings of a database are odd, $how', ({ isPooler }) => {
  test('nothing becomes the text NULL, numbers and searches are whole, and nobody gives way at once', async () => {
    await withOdd(async (url) => {
      await using proxy = await DatabaseProxy.start(url)
      proxy.isPooler = isPooler
      await using store = await openPostgresStore({ url: proxy.url, pool: 3 })
      await using db = new Database({ url: proxy.url, pool: 1 })
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      await store.commit(batch({ records: [write(sampleState('SHP-1'))] }))
      const request = { owner: 'one', now: T, leaseMs: 60_000, slots: new Map([['erp', 9]]) }
      const claimed = await store.claim(request)
      expect(claimed.map(({ event }) => event.id)).toEqual(['evt_1', 'evt_2'])
      await store.settle('one', [
        { id: claimed[0]?.id ?? '', attempt: attempt({ error: null, answer: null }), result: { kind: 'delivered' } },
        { id: claimed[1]?.id ?? '', attempt: attempt(), result: { kind: 'retry', at: T + 5 } },
      ])
      expect(await db.all(TOLD)).toEqual([
        { state: 'delivered', error: null, answer: null },
        { state: 'pending', error: expect.not.stringMatching('NULL'), answer: expect.not.stringMatching('NULL') },
      ])
      await db.write(async (tx) => expect(await tx.one(SHOWN)).toEqual(SET))
      await db.read(async (tx) => expect(await tx.one(SHOWN)).toEqual(SET))
      expect(await db.one(SHOWN)).toEqual(SET)
    })
  })
})
