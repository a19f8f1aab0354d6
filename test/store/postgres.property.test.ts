import { afterAll } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { postgresStore } from '../../src/store/server/open-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { totalsOfDatabase } from './daily-totals.ts'
import { describeStore } from './conformance.ts'

interface Opened {
  readonly url: string
  readonly db: Database
}

/** Emptied, and still connected: new connections would have to learn of every table anew. */
const free: Opened[] = []

async function opened(): Promise<Opened> {
  const url = await (await postgresDatabases()).take()
  return { url, db: new Database({ url, pool: 4 }) }
}

describeStore('the PostgreSQL store', async () => {
  const taken = free.pop() ?? (await opened())
  return {
    ...postgresStore(taken.db),
    dailyTotals: async () => await totalsOfDatabase(taken.db),
    [Symbol.asyncDispose]: async () => {
      await (await postgresDatabases()).empty(taken.url)
      free.push(taken)
    },
  }
})

afterAll(async () => {
  for (const { db, url } of free.splice(0)) {
    await db[Symbol.asyncDispose]()
    await (await postgresDatabases()).giveBack(url)
  }
})
