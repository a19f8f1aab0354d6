import { openPostgresStore } from '../../src/store/postgres/open-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { describeStore } from './conformance.ts'

describeStore('the PostgreSQL store', async () => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  const store = await openPostgresStore({ url, pool: 4 })
  return {
    ...store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await databases.giveBack(url)
    },
  }
})
