import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { putEmptyStore } from '../support/empty-store.ts'
import { runs } from '../support/runs.ts'
import { withFolder } from './folder.ts'
import { sqliteRows } from './store-rows.ts'
import { VersionedRecords } from './versioned-records.ts'
import { VERSION_STEPS } from './versions.ts'

test('in a file every version is readable, and no document stays that nothing needs', async () => {
  await fc.assert(
    fc.asyncProperty(VERSION_STEPS, async (taken) => {
      await withFolder(async (folder) => {
        const path = `${folder}/shipbell.db`
        putEmptyStore(path)
        await VersionedRecords.play(path, taken)
        expect(sqliteRows(path)['miscounted']).toEqual([])
      })
    }),
    runs(6),
  )
})
