import { expect, test } from 'vitest'
import { documentsElsewhere } from '../../../src/app/workers/documents-elsewhere.ts'
import { openPostgresStore } from '../../../src/store/server/open-store.ts'
import { postgresDatabases } from '../../support/postgres-databases.ts'

test('a document is asked of the worker that reads its account, by its name alone', async () => {
  await using store = await openPostgresStore({ url: await (await postgresDatabases()).take(), pool: 2 })
  const { workers } = store
  const facts = { host: 'host-1', pid: 1, command: 'run', version: '1', port: 8484, config: 'c' }
  await workers.join({ ...facts, id: 'w1', loadedAt: null, settings: {} }, 600_000)
  const reasonOf = async (account: string) => await documentsElsewhere(account, workers)
  expect(await reasonOf('acme')).toMatchObject({ kind: 'late', reason: expect.stringContaining('Nobody reads') })
  await workers.take('w1', { units: [{ unit: 'u', accounts: ['acme'] }], most: 1 })
  expect(await reasonOf('acme')).toEqual({
    kind: 'refused',
    reason: 'The worker w1 reads the account acme: ask that one (`shipbell status` says where it runs).',
  })
  expect(await reasonOf('globex')).toMatchObject({ kind: 'late' })
  expect(await documentsElsewhere('acme', undefined)).toMatchObject({ kind: 'late' })
})
