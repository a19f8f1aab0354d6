import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { followingClock, inTurns, sharedTurns, systemClock, turnTaking } from '../src/clock.ts'
import { FakeClock } from './support/fake-clock.ts'

test('work in small steps goes on until it took a while, and then waits for its turn once', async () => {
  const clock = new FakeClock()
  const slept: number[] = []
  const letOthers = turnTaking({
    monotonic: () => clock.monotonic(),
    sleep: async () => void slept.push(clock.monotonic()),
  })
  await letOthers()
  await clock.advance(4)
  await letOthers()
  expect(slept).toEqual([])
  await clock.advance(1)
  await letOthers()
  await letOthers()
  expect(slept).toEqual([5])
})

test('loops begin in their order, each in a turn of its own', async () => {
  const begun: string[] = []
  const loops = inTurns(['one', 'other'].map((name) => async () => void begun.push(name)))
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['one'])
  await Promise.all(loops)
  expect(begun).toEqual(['one', 'other'])
})

test('a clock that follows another one goes on evenly when that of the machine is set', async () => {
  const own = new FakeClock()
  const clock = followingClock({
    now: () => own.now(),
    monotonic: () => own.monotonic(),
    calendarNow: () => own.now(),
    sleep: async (ms, signal) => await own.sleep(ms, signal),
    after: (ms, act) => own.after(ms, act),
  })
  expect(clock.now()).toBe(own.now())
  const asked = own.monotonic()
  await own.advance(20)
  clock.follow(1_000_000, [asked, own.monotonic()])
  expect(clock.now()).toBe(1_000_011)
  own.set(own.now() + 3_600_000)
  await own.advance(100)
  expect(clock.now()).toBe(1_000_111)
  clock.follow(1_000_115, [own.monotonic() - 6, own.monotonic()])
  expect(clock.now()).toBe(1_000_115)
  clock.follow(999_000, [own.monotonic() - 6, own.monotonic()])
  expect(clock.now()).toBe(999_007)
})

test('work from many sides goes on until it took a while, and then in its order, for as long in each turn', async () => {
  let now = 0
  const letOthers = sharedTurns({ monotonic: () => now })
  const done: number[] = []
  const piece = async (number: number) => {
    await letOthers()
    done.push(number)
    now += 2
  }
  for (const number of [1, 2, 3]) await piece(number)
  expect(done).toEqual([1, 2, 3])
  const pieces = [4, 5, 6, 7, 8, 9].map(piece)
  for (const last of [4, 7, 9]) {
    await nextTurn()
    expect(done.at(-1)).toBe(last)
  }
  await Promise.all(pieces)
  await nextTurn()
  await piece(10)
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('many who wake at once do so in their order, a few milliseconds of it in each turn', async () => {
  const woken: number[] = []
  let turns = 0
  const sleepers = Array.from({ length: 20 }, async (_, number) => {
    await systemClock.sleep(1)
    woken.push(number)
    const until = performance.now() + 2
    while (performance.now() < until);
  })
  const counting = (async () => {
    for (; woken.length < sleepers.length; turns += woken.length > 0 ? 1 : 0) await nextTurn()
  })()
  await Promise.all([...sleepers, counting])
  expect(woken).toEqual(sleepers.map((_, number) => number))
  expect(turns).toBeGreaterThanOrEqual(5)
})
