import { expect, test } from 'vitest'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { eventsOf } from '../support/log-rows.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { Polling, shipment, WATCH, WATCH_MORE } from './polling.ts'

function due(id: string, date: string) {
  return shipment(id, { main_tracking_dates: { arrival_date: { date, status: 'estimated' } } })
}

async function hasBegun(_: readonly string[], store: Store): Promise<boolean> {
  const { notes, settings } = await store.noted('acme', 'orders', 1)
  return settings !== null && notes.length === 0
}

test('in a database, too, an order is told once of what moved, by whichever process takes it up', async () => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  const watch = { shipments: WATCH.shipments, purchase_orders: WATCH_MORE.purchase_orders }
  await using polling = new Polling({ watch })
  const { clock, platform } = polling
  const line = {
    reference: 'L1',
    ordered_quantity: 2,
    assigned_order_lines: [{ platform_shipment_id: 'A', assigned_quantity: 2 }],
  }
  platform.purchaseOrders = [{ po_number: 'PO-1', purchase_order_lines: [line], desired_delivery_date: '2026-12-18' }]
  platform.shipments = [due('A', '2026-12-10T10:00:00Z'), due('B', '2026-12-10T10:00:00Z')]
  const run = async (isThere: (types: readonly string[], store: Store) => boolean | Promise<boolean>) => {
    await using store = await openPostgresStore({ url, pool: 2 })
    const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
    const poller = new AccountPoller({ ...polling.context, committer, patience: { failures: 3, waitMs: 1_000 } })
    const stop = new AbortController()
    const running = poller.run(stop.signal)
    const types = async () => (await eventsOf(store, { limit: 1_000 })).map(({ type }) => type)
    while (!(await isThere(await types(), store))) await clock.advance(100)
    stop.abort()
    await clock.advance(1)
    await running
    return (await types()).filter((type) => type.startsWith('purchase_order.'))
  }
  expect(await run(hasBegun)).toEqual([])
  platform.shipments = [due('A', '2026-12-20T10:00:00Z'), due('B', '2026-12-10T10:00:00Z')]
  await clock.advance(60_000)
  expect(await run((types) => types.includes('shipment.eta_changed'))).toEqual([])
  const told = await run((types) => types.includes('purchase_order.delivery_at_risk'))
  expect(new Set(told)).toEqual(new Set(['purchase_order.eta_changed', 'purchase_order.delivery_at_risk']))
  let left = 30
  expect(await run(() => (left -= 1) < 0)).toHaveLength(2)
  await databases.giveBack(url)
})
