import { expect, it } from 'vitest'
import {
  attempts,
  deliveredByFiveASecond,
  event,
  events,
  flapping,
  idOf,
  quiet,
  SECOND,
  secondsBehindRefused,
  secondsUntil,
  world,
} from './backlogs.ts'
import { status } from './scripted-receiver.ts'

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

it('a backlog whose oldest events are always refused arrives soon where a fifth of the others fails, too', async () => {
  const { life, erp } = await world(16)
  const poison = new Set(events(1, 34))
  let answers = 0
  erp.answer = (request) => {
    answers += 1
    status(poison.has(idOf(request)) || answers % 5 === 0 ? 500 : 200)(request)
  }
  life.retryMs = Array<number>(60).fill(SECOND)
  await life.ring('erp', 1_000)
  life.start()
  expect(await secondsUntil({ life, erp }, 966)).toBeLessThanOrEqual(20)
})

it('a backlog whose oldest events are always refused has none of them brought forward more than a few times', async () => {
  const { life, erp } = await world(4)
  const poison = new Set(events(1, 34))
  erp.answer = (request) => status(poison.has(idOf(request)) ? 500 : 200)(request)
  life.retryMs = Array<number>(60).fill(SECOND)
  await life.ring('erp', 200)
  life.start()
  await secondsUntil({ life, erp }, 166)
  for (let second = 0; second < 30; second += 1) {
    await life.ring('erp')
    await life.clock.advance(SECOND)
    await quiet(erp)
  }
  expect(await attempts(life, event(1))).toBeLessThanOrEqual(1 + 32 + 1)
})
