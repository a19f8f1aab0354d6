import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectItems } from '../../src/model/page.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { batch, sampleState, write } from './samples.ts'

const GROUPS = 6
const OF_GROUP = 30
/** How far the records of two groups lie apart, in the index too. */
const APART = 10_000

let url = ''
beforeAll(async () => (url = await (await postgresDatabases()).take()))
afterAll(async () => (await postgresDatabases()).giveBack(url))

/** Records of two accounts and resources in turn, in groups that lie in other parts of the index. */
async function fill(store: Store): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (let group = 0; group < GROUPS; group += 1) {
      await client.query(`SELECT setval(pg_get_serial_sequence('records', 'ref'), $1)`, [(group + 1) * APART])
      const resource = group % 3 === 0 ? 'shipment' : 'location'
      const records = Array.from({ length: OF_GROUP }, (_, nth) => {
        const name = nth === 7 && group < 2 ? 'Lamps that are rare' : 'Lamps'
        const seen = { name }
        return write(sampleState(`${group}-${nth}`, { resource, seen, reported: seen }))
      })
      await store.commit(batch({ account: group % 2 === 0 ? 'acme' : 'beta', records }))
    }
    while ((await store.indexQueued(500)) > 0);
  } finally {
    await client.end()
  }
}

/** The ids of groups, the newest first. */
function groups(own: readonly number[]): readonly string[] {
  return own.flatMap((group) => Array.from({ length: OF_GROUP }, (_, nth) => `${group}-${OF_GROUP - 1 - nth}`))
}

test(
  'what many have and what few have is found the newest first, in whatever parts of the index it lies',
  { tags: 'long' },
  async () => {
    await using store = await openPostgresStore({ url, pool: 2 })
    await fill(store)
    const found = async (q: string, limit: number, more = {}): Promise<readonly string[]> =>
      (await collectItems(async (page) => await store.recordPage({ q, ...more, ...page, limit }))).map(({ id }) => id)
    const all = groups([5, 4, 3, 2, 1, 0])
    for (const limit of [20, 200]) {
      // Whose name is the text as a whole stands before the others.
      const rare = ['1-7', '0-7']
      expect(await found('amps', limit)).toEqual(all)
      expect(await found('lamps', limit)).toEqual([...all.filter((id) => !rare.includes(id)), ...rare])
      expect(await found('that rare', limit)).toEqual(rare)
      expect(await found('amps', limit, { account: 'beta' })).toEqual(groups([5, 3, 1]))
      expect(await found('amps', limit, { resource: 'shipment' })).toEqual(groups([3, 0]))
      expect(await found('amps', limit, { resource: 'shipment', account: 'acme' })).toEqual(groups([0]))
    }
  },
)
