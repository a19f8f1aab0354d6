import { expect, it } from 'vitest'
import { MovedStore } from './moved-store.ts'

it('says of a database that cannot be reached, which it asks several times, that it cannot', async () => {
  const moved = await MovedStore.with(async () => undefined)
  const away = await moved.copy('postgres://u:sesame@127.0.0.1:1/shipbell')
  expect(away.stderr).toMatch(/^The database 127\.0\.0\.1:1\/shipbell cannot be reached/)
  expect(away.exitCode).toBe(3)
})
