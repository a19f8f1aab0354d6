import { expect, test } from 'vitest'
import { ClockWatch } from '../../src/poll/requests/clock-watch.ts'
import { Committer } from '../../src/poll/committer.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { StoreFile } from '../support/store-file.ts'
import { eventsOf } from '../support/log-rows.ts'

test('answers that come at the same time say once that the clocks differ', async () => {
  await using file = new StoreFile()
  const { store } = file
  const clock = new FakeClock()
  const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
  const watch = new ClockWatch({ account: BOUNDLESS_ACCOUNT, clock, committer })
  const at = clock.now()
  const exchange = { method: 'GET', path: '/v1/invoices/INV-1', sentAt: at, answeredAt: at, status: 200, bytes: 1 }
  const late = { ...exchange, platformClock: at - 3_600_000 }
  await Promise.all([late, late, late, late].map(async (each) => watch.judge(each)))
  expect((await eventsOf(store, { limit: 10 })).map(({ type }) => type)).toEqual(['account.clock_differs'])
  expect(watch.isAnnounced).toBe(true)
})
