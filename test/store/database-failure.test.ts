import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const ALIVE = new Query('SELECT 1')

test('what only an operator mends is refused for good, at once', async () => {
  const nowhere = new URL(await (await postgresDatabases()).take())
  nowhere.pathname = '/nowhere'
  await using db = new Database({ url: nowhere.href, pool: 1 })
  await expect(db.one(ALIVE)).rejects.toThrow(/does not exist: create it, or correct storage\.url\.$/)
})
