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
