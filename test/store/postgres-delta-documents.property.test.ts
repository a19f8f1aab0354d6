import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { postgresRows } from './store-rows.ts'
import { VersionedRecords } from './versioned-records.ts'
import { VERSION_STEPS } from './versions.ts'

test('in a database every version is readable, and no document stays that nothing needs', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(VERSION_STEPS, async (taken) => {
      const url = await databases.take()
      await VersionedRecords.play(url, taken)
      expect((await postgresRows(url))['miscounted']).toEqual([])
      await databases.giveBack(url)
    }),
    runs(1),
  )
})
