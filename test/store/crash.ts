import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import { withFolder } from './folder.ts'
import { openAt } from './open-at.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

const WRITER = fileURLToPath(new URL('crash-writer.ts', import.meta.url))

/**
 * Runs the writer until it has reported `commits` commits, then calls `strike`, which ends it one way or another. Returns the last
 * commit reported.
 */
export async function writeUntil(
  address: string,
  commits: number,
  strike: (writer: ChildProcess) => void | Promise<void>,
): Promise<number> {
  const child = spawn(process.execPath, [WRITER, address], { stdio: ['ignore', 'pipe', 'ignore'] })
  let reported = -1
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    reported = Number(line)
    seen += 1
    if (seen === commits) await strike(child)
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(seen).toBeGreaterThanOrEqual(commits)
  return reported
}

/** A process killed amid commits leaves whole transactions only, and loses none it had reported. */
export async function expectWhole(...amounts: readonly number[]): Promise<void> {
  await withFolder(async (folder) => await expectWholeAt(`${folder}/shipbell.db`, amounts))
}

export async function expectWholeAt(address: string, amounts: readonly number[]): Promise<void> {
  for (const commits of amounts) {
    const reported = await writeUntil(address, commits, (writer) => void writer.kill('SIGKILL'))
    await using store = await openAt(address)
    await expectCommits(store, reported)
  }
}

/** Whole commits, up to the last one reported or beyond it. */
export async function expectCommits(store: Store, reported: number): Promise<void> {
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
