import { expect, test } from 'vitest'
import { Polling, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

const EVERY_MS = 10_000
const QUICK = { everyMs: EVERY_MS, ignore: [] } as const

/** A platform that takes 5 s for an answer, two at a time: the pages of six lists take longer than `every`, whatever the budget is. */
function slow(): Polling {
  const polling = new Polling({
    watch: {
      shipments: { ...WATCH.shipments, ...QUICK },
      tracking: { ...WATCH.tracking, ...QUICK },
      invoices: { ...WATCH.invoices, ...QUICK },
      documents: QUICK,
      purchase_orders: QUICK,
      locations: QUICK,
      order_preparations: { ...WATCH_MORE.order_preparations, ...QUICK },
    },
    budget: { requests: 1_000, perMs: 60_000, concurrency: 2, share: 1 },
  })
  polling.platform.latencyMs = 5_000
  polling.platform.shipments = shipments(4)
  polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
  polling.platform.orderPreparations.set('OP-1', { reference: 'OP-1', status: 'new' })
  return polling
}

test('what is read item by item has its turns beside lists that never rest', async () => {
  await using polling = slow()
  await polling.run(300_000)
  const of = (what: string) => polling.platform.asked.filter((asked) => asked.what.startsWith(what)).length
  expect(of('shipments?')).toBeGreaterThan(5)
  expect(of('tracking/')).toBeGreaterThan(8)
  expect(of('order_preparation/')).toBeGreaterThan(2)
  const baselines = (await polling.events()).filter(({ type }) => type === 'account.baseline_completed')
  expect(baselines).toHaveLength(7)
  expect(new Set(baselines.map(({ extras }) => extras.resource))).toEqual(
    new Set(['documents', 'invoices', 'locations', 'order_preparations', 'purchase_orders', 'shipments', 'tracking']),
  )
})
