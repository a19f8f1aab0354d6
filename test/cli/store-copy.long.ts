import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { changeFile, MovedStore } from './moved-store.ts'

async function small(store: Store): Promise<void> {
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  await ring(store, [sampleEvent('evt_1')], ['erp'])
}

it('says of a database that cannot be reached, which it asks several times, that it cannot', async () => {
  const moved = await MovedStore.with(async () => undefined)
  const away = await moved.copy('postgres://u:sesame@127.0.0.1:1/shipbell')
  expect(away.stderr).toMatch(/^The database 127\.0\.0\.1:1\/shipbell cannot be reached/)
  expect(away.exitCode).toBe(3)
})

describe('a copy that died', () => {
  const BROKEN = `CREATE TRIGGER broken BEFORE UPDATE ON relocation BEGIN SELECT RAISE(ABORT, 'died'); END`

  it('before the store was marked: the store goes on, the copy waits, and the same command copies anew', async () => {
    const moved = await MovedStore.with(small)
    changeFile(moved.file, BROKEN)
    expect((await moved.copy()).exitCode).toBe(3)
    changeFile(moved.file, 'DROP TRIGGER broken')
    expect(await moved.sql('SELECT id FROM events')).toEqual([{ id: 'evt_1' }])
    await expect(openPostgresStore({ url: moved.url, pool: 2 })).rejects.toThrow(
      `The store ${moved.place} is a copy of ${moved.file} that has yet to take its place: give the same \`shipbell store copy\` again, which ends it.`,
    )
    {
      await using store = openStore({ path: moved.file })
      await ring(store, [sampleEvent('evt_2')], ['erp'])
    }
    expect(await (await MovedStore.with(small)).copy(moved.url)).toMatchObject({ exitCode: 3 })
    expect(await moved.copy()).toMatchObject({ exitCode: 0 })
    await using store = await openPostgresStore({ url: moved.url, pool: 2 })
    expect((await store.eventPage({ limit: 9 })).items.map(({ id }) => id)).toEqual(['evt_2', 'evt_1'])
  })

  it('after the store was marked: nobody works on either, and the same command ends it', async () => {
    const moved = await MovedStore.with(small)
    await moved.sql(`CREATE FUNCTION died() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
      CREATE TRIGGER broken BEFORE DELETE ON relocation FOR EACH ROW EXECUTE FUNCTION died()`)
    expect((await moved.copy()).exitCode).toBe(3)
    await moved.sql('DROP FUNCTION died CASCADE')
    expect(() => openStore({ path: moved.file })).toThrow(`was moved to ${moved.place}`)
    await expect(openPostgresStore({ url: moved.url, pool: 2 })).rejects.toThrow('has yet to take its place')
    expect(await moved.copy()).toMatchObject({ exitCode: 0 })
    await using store = await openPostgresStore({ url: moved.url, pool: 2 })
    expect((await store.eventPage({ limit: 9 })).items).toHaveLength(1)
  })

  it('on the way back to a file: the same', async () => {
    const moved = await MovedStore.with(small)
    await moved.copy()
    moved.use({ url: moved.url })
    await moved.sql(`CREATE FUNCTION died() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
      CREATE TRIGGER broken BEFORE UPDATE ON relocation EXECUTE FUNCTION died()`)
    expect((await moved.copy('back.db')).exitCode).toBe(3)
    await moved.sql('DROP FUNCTION died CASCADE')
    const back = path.join(moved.cwd, 'back.db')
    expect(() => openStore({ path: back })).toThrow('has yet to take its place')
    {
      await using store = await openPostgresStore({ url: moved.url, pool: 2 })
      await ring(store, [sampleEvent('evt_2')], ['erp'])
    }
    expect(await moved.copy('back.db')).toMatchObject({ exitCode: 0 })
    await using store = openStore({ path: back })
    expect((await store.eventPage({ limit: 9 })).items).toHaveLength(2)
  })
})
