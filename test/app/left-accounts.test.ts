import { expect, test } from 'vitest'
import { LeftAccounts } from '../../src/app/left-accounts.ts'
import { batch } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { StoreFile } from '../support/store-file.ts'

test('what is open of an account that left the configuration closes, and no more than that', async () => {
  await using file = new StoreFile()
  const { store } = file
  const clock = new FakeClock()
  const stands = { type: 'shipment.delivery_at_risk', subject: { resource: 'shipment', id: 'A' }, at: 1 } as const
  for (const account of ['acme', 'beta']) await store.commit({ ...batch({ exceptions: { opens: [stands] } }), account })
  let accounts = [{ name: 'acme' }, { name: 'beta' }]
  const left = new LeftAccounts({ store, clock, accounts: () => accounts })
  const stop = new AbortController()
  const running = left.run(stop.signal)
  const closed = async () => {
    const { items } = await store.exceptionPage({ now: 1, limit: 9, states: ['closed'] })
    return items.map(({ account, closedBy }) => [account, closedBy])
  }
  await clock.advance(3_000)
  expect(await closed()).toEqual([])
  accounts = [{ name: 'acme' }]
  await clock.advance(3_000)
  expect(await closed()).toEqual([['beta', 'unwatched']])
  stop.abort()
  await running
})
