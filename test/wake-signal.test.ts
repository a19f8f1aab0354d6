import { expect, test } from 'vitest'
import { WakeSignal } from '../src/wake-signal.ts'
import { FakeClock } from './support/fake-clock.ts'

test('a loop that waits is woken when it is rung, when its time comes, and when it is stopped', async () => {
  const clock = new FakeClock()
  const stopping = new AbortController()
  const wake = new WakeSignal()
  const woken: string[] = []
  const wait = async (why: string): Promise<void> => {
    await wake.wait(clock, 1_000, stopping.signal)
    woken.push(why)
  }
  const rung = wait('rung')
  wake.notify()
  await rung
  wake.notify()
  await wait('rung before')
  const timely = wait('time')
  await clock.advance(999)
  expect(woken).toEqual(['rung', 'rung before'])
  await clock.advance(1)
  await timely
  const stopped = wait('stopped')
  stopping.abort()
  await stopped
  await wait('stopped before')
  expect(woken).toEqual(['rung', 'rung before', 'time', 'stopped', 'stopped before'])
  expect(clock.nextWakeAt).toBeNull()
})
