import { expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipments } from './polling.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('an outage of everything is the account’s, whatever the list', async () => {
  await using polling = new Polling({}, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(150)
  await polling.pass()
  await polling.restart()
  polling.platform.trouble = () => ({ kind: 'broken' })
  await polling.run(HOUR)
  polling.platform.trouble = () => null
  await polling.run(10 * MINUTE)
  const health = (await polling.types()).filter((type) => !type.endsWith('baseline_completed'))
  expect(health).toEqual(['account.unreachable', 'account.recovered'])
})
