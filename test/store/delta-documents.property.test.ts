import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { withFolder } from './folder.ts'
import { VersionedRecords, type VersionStep } from './versioned-records.ts'
import { postgresRows, sqliteRows } from './store-rows.ts'

const id = fc.constantFrom('A', 'B', 'C')
const step: fc.Arbitrary<VersionStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      id,
      what: fc.constantFrom('field', 'field', 'field', 'nothing', 'all', 'back'),
      rings: fc.boolean(),
      waits: fc.boolean(),
      settles: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('fail' as const), id }),
  fc.record({ do: fc.constant('reopen' as const) }),
  fc.record({ do: fc.constant('send' as const), amount: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('expire' as const), ago: fc.nat(12), limit: fc.integer({ min: 1, max: 3 }) }),
)
const steps = fc.array(step, { minLength: 10, maxLength: 60, size: 'max' })

test('in a file every version is readable, and no document stays that nothing needs', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      await withFolder(async (folder) => {
        const path = `${folder}/shipbell.db`
        putEmptyStore(path)
        await VersionedRecords.play(path, taken)
        expect(sqliteRows(path)['miscounted']).toEqual([])
      })
    }),
    runs(25),
  )
})

test('in a database every version is readable, and no document stays that nothing needs', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const url = await databases.take()
      await VersionedRecords.play(url, taken)
      expect((await postgresRows(url))['miscounted']).toEqual([])
      await databases.giveBack(url)
    }),
    runs(5),
  )
})
