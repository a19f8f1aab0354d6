import { expect, test } from 'vitest'
import { StallWatch } from '../../src/app/stall-watch.ts'
import { createLogger } from '../../src/log.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** A watch whose looks come after these lengths, and what it tells. */
async function toldBy(looksMs: readonly number[]): Promise<readonly (string | null)[]> {
  const clock = new FakeClock()
  const ended = new AbortController()
  const rest = [...looksMs]
  const sleeping = {
    now: () => clock.now(),
    calendarNow: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms: number, act: () => void) => clock.after(ms, act),
    sleep: async () => {
      const ms = rest.shift()
      if (ms === undefined) ended.abort()
      else await clock.advance(ms)
    },
  }
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const told: (string | null)[] = []
  const watch = new StallWatch({ clock: sleeping, log })
  watch.writesOf('acme').commits.begun(clock.monotonic())
  const polled = [{ account: { name: 'acme' }, stall: () => null }]
  await watch.run(
    () => polled,
    (problem) => void told.push(problem),
    ended.signal,
  )
  return told
}

test('a write that does not end is told, and a process that stood still tells of none', async () => {
  const sentence = expect.stringMatching(/^What was read of acme could not be written since .*does not answer a write$/)
  expect(await toldBy(Array.from({ length: 12 }, () => 1_000))).toEqual([sentence, null])
  expect(await toldBy([20_000])).toEqual([null])
  expect(await toldBy([20_000, 1_000])).toEqual([sentence, null])
})
