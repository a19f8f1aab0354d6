import { expect, test } from 'vitest'
import { turnTaking } from '../src/clock.ts'
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
