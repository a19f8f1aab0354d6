import { test } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { expectWhole, expectWholeAt } from './crash.ts'

const COMMITS = [1, 7, 40, 150]

test('a process killed amid commits leaves whole transactions only, and loses none it had reported', async () => {
  await expectWhole(...COMMITS)
})

test('so does one whose store is in a database', async () => {
  await expectWholeAt(await (await postgresDatabases()).take(), COMMITS)
})
