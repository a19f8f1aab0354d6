import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { describeStore } from './conformance.ts'

let folder = ''
let opened = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shipbell-store-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

describeStore('the SQLite store', async () => {
  opened += 1
  return openStore({ path: join(folder, `${opened}.db`) })
})
