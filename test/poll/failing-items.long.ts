import { expect, test } from 'vitest'
import { failing, failTogether, gapsOf, HOUR, MINUTE, timesOf, tracked } from './failing-items.ts'
import { WATCH } from './polling.ts'

test('an item that always fails is asked for less and less often, once every 6 hours in the end', async () => {
  const every = { everyMs: HOUR }
  const watch = { shipments: { ...WATCH.shipments, ...every }, tracking: { ...WATCH.tracking, ...every } }
  const budget = { requests: 60, perMs: HOUR, concurrency: 4, share: 1 }
  await using polling = tracked(3, { watch, budget })
  failing(polling, (id) => id === 'SHP-2')
  await polling.run(30 * HOUR)
  const gaps = gapsOf(timesOf(polling, 'tracking/SHP-2'))
  expect(gaps.slice(0, 3)).toEqual([5_020, 10_020, 20_020])
  for (const gap of gaps.slice(-2)) expect(Math.round(gap / HOUR)).toBe(6)
  expect(await polling.types()).not.toContain('account.unreachable')
})

test('where no item of a resource answers from the start, no baseline is completed until they answer, and then it is silent', async () => {
  await using polling = tracked(30)
  failing(polling, () => true)
  await polling.run(30 * MINUTE)
  expect(await polling.types()).toContain('account.unreachable')
  const completed = async (): Promise<ReadonlySet<unknown>> => {
    const done = (await polling.events()).filter(({ type }) => type === 'account.baseline_completed')
    return new Set(done.map(({ extras }) => extras.resource))
  }
  expect(await completed()).toEqual(new Set(['invoices', 'shipments']))
  failing(polling, () => false)
  await polling.run(10 * MINUTE)
  expect(await completed()).toEqual(new Set(['invoices', 'shipments', 'tracking']))
  expect((await polling.types()).filter((type) => type.startsWith('tracking'))).toEqual([])
})

test('where none of many items answers the account is unreachable, and little is asked for', async () => {
  await failTogether(42)
})
