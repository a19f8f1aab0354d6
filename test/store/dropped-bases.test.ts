import { Client } from 'pg'
import { expect, test } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'

/** A base, and two deltas at which one row each points. */
const FILL = `INSERT INTO bodies (ref, uses, codec, content, base) VALUES (1, $1, 1, '', NULL), (2, 1, 2, '', 1), (3, 1, 2, '', 1)`
const RELEASE = 'SELECT use_documents(ARRAY[$1]::bigint[], ARRAY[-1])'
const WAITS = `SELECT count(*)::int AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

test.for([
  { what: 'the last two deltas', uses: 0, alone: [], released: [2, 3] },
  { what: 'a base and its last delta', uses: 1, alone: [2], released: [1, 3] },
  { what: 'the last delta and its base', uses: 1, alone: [2], released: [3, 1] },
])('a base goes where two transactions at once release $what', async ({ alone, released, uses }) => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  const [one, other, watch] = [await connected(url), await connected(url), await connected(url)]
  try {
    await watch.query(FILL, [uses])
    for (const ref of alone) await watch.query(RELEASE, [ref])
    for (const client of [one, other]) await client.query('BEGIN')
    await one.query(RELEASE, [released[0]])
    const second = other.query(RELEASE, [released[1]])
    await expect.poll(async () => (await watch.query(WAITS)).rows).toEqual([{ waits: 1 }])
    await one.query('COMMIT')
    await second
    await other.query('COMMIT')
    expect((await watch.query('SELECT ref FROM bodies')).rows).toEqual([])
  } finally {
    for (const client of [one, other, watch]) await client.end()
  }
  await databases.giveBack(url)
})
