import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { withFolder } from './folder.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

const WRITER = fileURLToPath(new URL('crash-writer.ts', import.meta.url))

/** Runs the writer until it has reported `commits` commits, then kills it at once; returns the last commit reported. */
async function writeUntilKilled(path: string, commits: number): Promise<number> {
  const child = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let reported = -1
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    reported = Number(line)
    seen += 1
    if (seen === commits) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return reported
}

/** A process killed amid commits leaves whole transactions only, and loses none it had reported. */
export async function expectWhole(...amounts: readonly number[]): Promise<void> {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    for (const commits of amounts) {
      const reported = await writeUntilKilled(path, commits)
      await using store = openStore({ path })
      const events = await eventsOf(store, { limit: 10_000 })
      const kept = events.length / 2
      expect(kept).toBeGreaterThanOrEqual(reported + 1)
      expect(events.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(events.map((_, index) => index + 1))

      const whole = new Set(Array.from({ length: kept }, (_, n) => [`evt_${n}_a`, `evt_${n}_b`]).flat())
      expect(new Set(events.map(({ id }) => id))).toEqual(whole)
      const deliveries = await deliveriesOf(store, { subscription: 'erp', states: ['pending'], limit: 10_000 })
      expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(whole)

      const ids = Array.from({ length: kept + 1 }, (_, n) => `SHP-${n}`)
      const records = await store.records('acme', 'shipment', ids)
      expect([...records.keys()]).toEqual(ids.slice(0, kept))
      for (const [n, record] of [...records.values()].entries()) expect(record.seen).toMatchObject({ n })
      expect((await store.listState('acme', 'shipment')).largestPage).toBe(kept)
    }
  })
}
