import { Client as ClientOfEntry, Pool as PoolOfEntry } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { expect, test } from 'vitest'

test('the modules of undici that are loaded without its entry are where they were, and are those of the entry', () => {
  expect(Pool).toBe(PoolOfEntry)
  expect(Client).toBe(ClientOfEntry)
})
