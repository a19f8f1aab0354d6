import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hasYoungRoom, YoungRoom } from '../../src/app/young-room.ts'
import { sampleEvent } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'

const GROWS = '--semi-space-growth-factor=4'
const STAYS = '--semi-space-growth-factor=1'

/** What is set of V8, in order. */
function room() {
  const clock = new FakeClock()
  const flags: string[] = []
  return { clock, flags, room: new YoungRoom(clock, (flag) => void flags.push(flag)) }
}

const rows = (amount: number) => ({ rows: Array.from({ length: amount }, () => row) })
const row = {
  delivery: 'dlv_1',
  attempt: 1,
  event: { id: 'evt_1', type: 'shipment.updated', account: 'acme' },
  outcome: 'delivered',
} as const

test('little that happens leaves the room as it is', async () => {
  const { clock, flags, room: young } = room()
  for (let second = 0; second < 60; second += 1) {
    young.attempted(rows(99))
    await clock.advance(1_000)
  }
  expect(flags).toEqual([])
})

test('the room may grow while many rows are sent, and until a second has passed in which few are', async () => {
  const { clock, flags, room: young } = room()
  for (let sent = 0; sent < 100; sent += 1) young.attempted(rows(1))
  expect(flags).toEqual([GROWS])
  for (let second = 0; second < 5; second += 1) {
    await clock.advance(1_000)
    young.attempted(rows(1_000))
  }
  expect(flags).toEqual([GROWS])
  await clock.advance(1_000)
  young.attempted(rows(10))
  await clock.advance(1_000)
  expect(flags).toEqual([GROWS, STAYS])
  await clock.advance(60_000)
  young.attempted(rows(100))
  expect(flags).toEqual([GROWS, STAYS, GROWS])
})

test('a service that stops leaves nothing set, and no timer', async () => {
  const { clock, flags, room: young } = room()
  young.attempted(rows(100))
  young[Symbol.dispose]()
  expect(clock.nextWakeAt).toBeNull()
  expect(flags).toEqual([GROWS, STAYS])
})

test('events count that ring, and none of a commit that failed', () => {
  const { flags, room: young } = room()
  const events = Array.from({ length: 99 }, (_, n) => sampleEvent(`evt_${n}`))
  young.committed({ events, error: 'The disk is full.' })
  young.committed({ events, error: null })
  expect(flags).toEqual([])
  young.attempted(rows(1))
  expect(flags).toEqual([GROWS])
})

test('only a process that was started with a size has one', () => {
  expect(hasYoungRoom([])).toBe(false)
  expect(hasYoungRoom(['--min-semi-space-size=4', '--max-semi-space-size=16'])).toBe(true)
})

/**
 * Makes 64 MB of objects of which each lives for the time of 4 MB, and says how large the room for young ones is by then: before and
 * after a thread, and in a burst.
 */
const PROGRAM = `
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  setFlagsFromString('${STAYS}')
  const { YoungRoom } = await import(process.argv[1])
  const kept = Array.from({ length: 4_096 })
  const work = () => {
    for (let made = 0; made < 65_536; made += 1) kept[made % kept.length] = Array.from({ length: 120 }, () => made)
    return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20
  }
  const clock = { after: () => ({ [Symbol.dispose]: () => undefined }) }
  const sizes = [work()]
  await once(new Worker('0', { eval: true }), 'exit')
  sizes.push(work())
  const young = new YoungRoom(clock)
  young.attempted({ rows: { length: 100 } })
  sizes.push(work())
  console.log(JSON.stringify(sizes))`

const isHeeded = Number(process.versions.node.split('.')[0]) >= 24

test.skipIf(!isHeeded)(
  'V8 does as it is told: the room grows in a burst, and not before, whatever threads start',
  async () => {
    const module = new URL('../../src/app/young-room.ts', import.meta.url).href
    const flags = ['--min-semi-space-size=1', '--max-semi-space-size=8']
    const words = [...flags, '--input-type=module', '-e', PROGRAM, module]
    const { stdout } = await promisify(execFile)(process.execPath, words)
    expect(JSON.parse(stdout)).toEqual([2, 2, 16])
  },
)
