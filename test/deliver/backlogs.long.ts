import { expect, it } from 'vitest'
import { deliveredByFiveASecond, flapping, secondsBehindRefused } from './backlogs.ts'

it.each([
  [34, 3_400],
  [400, 1_600],
])(
  'a backlog whose oldest events are always refused arrives as soon as one without: %s of %s',
  async (refused, all) => {
    expect(await secondsBehindRefused({ refused, all })).toBeLessThanOrEqual(2)
  },
)

it('an endpoint that flaps is sent its backlog about as fast as it takes it, without a storm', async () => {
  const { seconds, requests } = await flapping({ events: 800, aSecond: 20 })
  expect(seconds).toBeLessThanOrEqual(2 * 40)
  expect(requests).toBeLessThanOrEqual(4 * 800)
})

it('one that takes five a second gets more than half before their retries are used up', async () => {
  expect(await deliveredByFiveASecond({ events: 600, seconds: 200, later: 200 })).toBeGreaterThan(300)
})
