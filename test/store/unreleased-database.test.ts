import { expect, test } from 'vitest'
import { openMadeStore, openPostgresStore } from '../../src/store/server/open-store.ts'
import { MovedStore } from '../cli/moved-store.ts'
import { ring, sampleEvent, T } from './samples.ts'

/** Schemas of versions that were never released. */
const BEFORE = `
  DELETE FROM schema_versions;
  INSERT INTO schema_versions (version, breaking) SELECT version, version = 6 FROM generate_series(1, 11) AS version`
const REFUSED = {
  code: 'store_unusable',
  message: expect.stringMatching(/never released.*that version's `shipbell store copy --to FILE`.*this one's/),
}

test('a database of a version that was never released is refused, by a sentence that says how to carry it over', async () => {
  const moved = await MovedStore.with(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_1')], ['erp'])
  })
  await moved.sql(BEFORE)
  await expect(openPostgresStore({ url: moved.url, pool: 1 })).rejects.toMatchObject(REFUSED)
  await expect(openMadeStore({ url: moved.url, pool: 1, readonly: true })).rejects.toMatchObject(REFUSED)
  const copied = await moved.copy()
  expect(copied).toMatchObject({ stderr: REFUSED.message })
  expect(copied.exitCode).toBeGreaterThan(0)
  expect(await moved.sql('SELECT count(*)::int AS amount, max(version)::int AS newest FROM schema_versions')).toEqual([
    { amount: 11, newest: 11 },
  ])
})
