import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { worldShipment } from '../bench/world-shipment.ts'
import { withFolder } from './folder.ts'
import { derived, forgetDerived } from './forget-derived.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const SHIPMENTS = 100_000
const ACCOUNTS = 5
const DAY = 86_400_000
const BAR_MS = 20
const DRIFT = { by: 'drift', isDescending: true } as const
/** Records whose texts are indexed in one transaction, far more than beside a daemon's work. */
const INDEXED_AT_ONCE = 2_000
const OPENER = fileURLToPath(new URL('open-once.ts', import.meta.url))

test('every query takes 20 ms at most with 100,000 shipments, and filling them takes seconds and survives a kill', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    await fill(path)
    {
      await using store = openStore({ path, readonly: true })
      for (const [name, ask] of questions(store, await deepCursor(store))) {
        const took = await medianOf(ask)
        console.log(`${name}: ${took.toFixed(1)} ms`)
        expect([name, took < BAR_MS]).toEqual([name, true])
      }
    }
    const before = derived(path)
    forgetDerived(path)
    const child = spawn(process.execPath, [OPENER, path], { stdio: 'inherit' })
    const exit = once(child, 'exit')
    const logged = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const atRest = logged()
    await vi.waitFor(() => expect(logged()).toBeGreaterThan(atRest + 20_000_000), { timeout: 60_000, interval: 5 })
    child.kill('SIGKILL')
    await exit
    const start = performance.now()
    await openStore({ path })[Symbol.asyncDispose]()
    console.log(`filled ${SHIPMENTS} shipments in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
    expect(derived(path)).toEqual(before)
  })
})

/** Of the processor's time of this thread: what else the machine does is no matter. */
async function medianOf(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 5; run += 1) {
    const start = process.threadCpuUsage()
    await ask()
    const { user, system } = process.threadCpuUsage(start)
    times.push((user + system) / 1_000)
  }
  return times.toSorted((one, other) => one - other)[2] ?? Infinity
}

/** Halfway through all shipments. */
async function deepCursor(store: Store): Promise<string> {
  let cursor: string | undefined
  for (let seen = 0; seen < SHIPMENTS / 2; seen += 200) {
    const { next } = await store.recordPage({ resource: 'shipment', limit: 200, ...(cursor && { cursor }) })
    cursor = next ?? undefined
  }
  return cursor ?? ''
}

function questions(store: Store, deep: string): readonly (readonly [string, () => Promise<unknown>])[] {
  const list = { resource: 'shipment', limit: 200 } as const
  return [
    ['list', async () => store.recordPage(list)],
    ['list of an account', async () => store.recordPage({ ...list, account: 'a3' })],
    ['list of a status that few have', async () => store.recordPage({ ...list, status: 'rare' })],
    ['list of a status that nobody has', async () => store.recordPage({ ...list, status: 'none' })],
    ['a page deep in the list', async () => store.recordPage({ ...list, cursor: deep })],
    ['a list by date', async () => store.recordPage({ ...list, order: { by: 'eta', isDescending: false } })],
    [
      'open ones by name',
      async () => store.recordPage({ ...list, open: true, order: { by: 'name', isDescending: true } }),
    ],
    ['a carrier that nobody has, by drift', async () => store.recordPage({ ...list, carrier: 'none', order: DRIFT })],
    ['a mode that nobody has, by drift', async () => store.recordPage({ ...list, mode: 'none', order: DRIFT })],
    ['search by id', async () => store.recordPage({ ...list, q: 'SHP-099999' })],
    ['search by what all have', async () => store.recordPage({ ...list, q: 's' })],
    ['search by a word that all have', async () => store.recordPage({ ...list, q: 'collection' })],
    ['search by what all have, of a rare status', async () => store.recordPage({ ...list, q: 'sp', status: 'rare' })],
    ['search by what nobody has', async () => store.recordPage({ ...list, q: 'zzz' })],
    ['detail', async () => store.recordDetail({ account: 'a1', resource: 'shipment', id: 'SHP-000001' })],
    ['slips of 7 days', async () => store.slips({ since: T + 358 * DAY, limit: 200 })],
    ['slips of 30 days', async () => store.slips({ since: T + 335 * DAY, limit: 200 })],
    ['slips of all time', async () => store.slips({ since: 0, limit: 200 })],
    ['slips of a lane that nobody has', async () => store.slips({ since: 0, limit: 200, lane: 'A → B' })],
  ]
}

/** Each shipment's arrival moved twice, over a year. */
async function fill(path: string): Promise<void> {
  await using store = openStore({ path })
  for (let start = 0; start < SHIPMENTS; start += 500) {
    const account = `a${(start / 500) % ACCOUNTS}`
    const states = Array.from({ length: 500 }, (_, n) => state(start + n))
    await store.commit(batch({ account, records: states.map((each) => write(each)) }))
    for (const move of [1, 2]) {
      const records = states.map((each) =>
        write({ ...each, lastEventId: `evt_${each.id}_${move}` }, { expectedVersion: 0 }),
      )
      await store.commit(
        batch({ account, records, events: states.map((each, n) => moved(each, { account, move, n: start + n })) }),
      )
    }
  }
  while ((await store.indexQueued(INDEXED_AT_ONCE)) > 0);
}

function state(n: number): RecordState {
  const seen = { ...worldShipment(n), ...(n % 5_000 === 0 && { status: 'rare' }) }
  return sampleState(`SHP-${String(n).padStart(6, '0')}`, { seen, reported: seen })
}

function moved(
  { id, seen }: RecordState,
  { account, move, n }: { readonly account: string; readonly move: number; readonly n: number },
): EventDraft {
  const at = (days: number) => ({ date: formatInstant(T + days * DAY), status: 'estimated' })
  const far = (n % 37) + 1
  return sampleEvent(`evt_${id}_${move}`, {
    account,
    type: 'shipment.eta_changed',
    subject: { resource: 'shipment', id, version: move, previousEventId: null },
    timestamp: T + (n % 365) * DAY + move,
    object: seen,
    before: null,
    extras: {
      date_change: {
        milestone: 'arrival',
        from: at(move === 1 ? 0 : far),
        to: at(move * far),
        first: { date: at(0).date, seen_at: formatInstant(T) },
        revision: move + 1,
      },
    },
  })
}
