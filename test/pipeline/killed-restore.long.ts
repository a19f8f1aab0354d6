import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomOf } from '../../src/sandbox/random.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { CONFIGURATION } from '../cli/ledger.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { Workplace } from '../support/shipbell.ts'
import { ledgerOf } from './ledger-of.ts'
import { killed } from './workplace.ts'

const KILLS = 40
const OLD = 4_000
const NEW = 3_000

test('a restore that is killed at any moment leaves the old store or the new one, whole', async () => {
  using work = new Workplace()
  work.write('shipbell.yaml', CONFIGURATION)
  const store = path.join(work.folder, 'shipbell.db')
  await fill(store, 0, NEW)
  expect((await work.run('backup', 'copy.db')).code).toBe(0)
  await fill(store, NEW, OLD)
  const old = readFileSync(store)
  const took = await timed(async () => expect((await work.run('restore', 'copy.db')).code).toBe(0))
  const found = new Map<number, number>()
  const random = randomOf('kills', 3)
  // Kills follow the moment at which the new store stands, however fast the machine is just now: later after an old store, earlier after a new one.
  let around = took * 0.7
  for (let nth = 0; nth < KILLS; nth += 1) {
    await emptied(work.folder, store)
    writeFileSync(store, old, { mode: 0o600 })
    const restoring = work.start('restore', 'copy.db')
    await sleep(around * (0.8 + 0.4 * random.next()))
    await killed(restoring)
    const events = await eventsOf(store)
    found.set(events, (found.get(events) ?? 0) + 1)
    around *= events === NEW ? 0.85 : 1.15
  }
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([NEW, OLD])
})

async function fill(store: string, from: number, to: number): Promise<void> {
  await using open = openStore({ path: store })
  await open.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const events = Array.from({ length: to - from }, (_, nth) => sampleEvent(`evt_${from + nth}`))
  await ring(open, events, ['erp'])
}

/** As the next process finds it. */
async function eventsOf(store: string): Promise<number> {
  await openStore({ path: store })[Symbol.asyncDispose]()
  return ledgerOf(store).length
}

async function emptied(folder: string, store: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(path.basename(store))) rmSync(path.join(folder, name))
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
