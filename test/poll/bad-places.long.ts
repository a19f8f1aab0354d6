import { expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments } from './polling.ts'

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

test('a list that answers nothing at all while others do rings, and the others are read', async () => {
  await using polling = new Polling({}, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(3)
  await polling.pass()
  await polling.restart()
  polling.platform.trouble = (what) => (what.startsWith('invoices') ? { kind: 'broken' } : null)
  await polling.run(HOUR)
  polling.platform.shipments[1] = shipment('SHP-2', { name: 'changed' })
  await polling.run(2 * MINUTE)
  const rung = (await polling.events()).filter(({ type }) => !type.endsWith('baseline_completed'))
  const types = rung.map(({ type }) => type)
  expect(types.filter((type) => type === 'account.list_incomplete')).toHaveLength(1)
  expect(types.filter((type) => type === 'account.unreachable').length).toBeLessThanOrEqual(1)
  expect(types).toContain('shipment.updated')
})
