import { expect, test } from 'vitest'
import { Polling, shipment, WATCH } from './polling.ts'

const YEAR = 365 * 86_400_000

async function dropEverything({ clock, store }: Polling): Promise<number> {
  const before = clock.now()
  await store.expirePayloads({ before, now: before, after: null, limit: 1_000 })
  return (await store.dropEnded({ before, after: null, limit: 1_000 })).dropped
}

test('what was dropped rings no more, and the same change a second time is an event of its own', async () => {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
  // Nobody hears them, so that they have ended.
  polling.subscriptions = []
  const [booked, departed] = ['booked', 'in_transit'].map((status) => [
    shipment('SHP-1', { status }),
    shipment('SHP-2'),
  ])
  polling.platform.shipments = booked ?? []
  await polling.pass()
  polling.platform.shipments = departed ?? []
  const [first] = await polling.pass()
  expect(first?.type).toBe('shipment.status_changed')
  polling.platform.shipments = booked ?? []
  const [back] = await polling.pass()
  await polling.clock.advance(YEAR)
  expect(await dropEverything(polling)).toBeGreaterThanOrEqual(2)
  expect(await polling.store.event(first?.id ?? '')).toBeNull()
  await polling.restart()
  expect(await polling.pass()).toEqual([])
  polling.platform.shipments = departed ?? []
  const [again] = await polling.pass()
  expect(again).toMatchObject({
    type: 'shipment.status_changed',
    changes: first?.changes ?? [],
    subject: { id: 'SHP-1', version: (back?.subject.version ?? 0) + 1, previousEventId: back?.id ?? '' },
    sequence: (back?.sequence ?? 0) + 1,
  })
  expect(again?.id).not.toBe(first?.id)
})
