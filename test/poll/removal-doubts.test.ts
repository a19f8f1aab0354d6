import { describe, expect, test } from 'vitest'
import { Polling, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'
import { typesOf } from './emitted.ts'

async function learnt(watch: object, prepare: (polling: Polling) => void): Promise<Polling> {
  const polling = new Polling({ watch })
  prepare(polling)
  await polling.pass()
  return polling
}

const onlyShipments = { shipments: WATCH.shipments }

describe('removals that are in doubt (guarantee D6)', () => {
  test('fetches that fail midway never let a mass removal trickle out', async () => {
    await using polling = await learnt(onlyShipments, ({ platform }) => void (platform.shipments = shipments(100)))
    polling.platform.shipments = shipments(50)
    let fetches = 0
    polling.platform.trouble = (what) => {
      if (!what.startsWith('shipment/')) return null
      fetches += 1
      return fetches % 8 < 4 ? null : { kind: 'broken' }
    }
    for (let round = 0; round < 6; round += 1) {
      expect(typesOf(await polling.pass())).not.toContain('shipment.removed')
    }
  })

  test('where the platform refuses every fetch by id, complete passes say what is gone', async () => {
    const watch = { documents: WATCH_MORE.documents }
    const documents = Array.from({ length: 20 }, (_, n) => ({ id: `D${n}`, name: `${n}.pdf` }))
    await using polling = await learnt(watch, ({ platform }) => void (platform.documents = documents))
    polling.platform.trouble = (what) => (what.startsWith('document/') ? { kind: 'forbidden' } : null)
    polling.platform.documents = documents.slice(1)
    await polling.pass()
    await polling.pass()
    expect(typesOf(await polling.pass())).toEqual(['document.removed'])
    expect(await polling.pass()).toEqual([])
  })

  test('a hold stands until the items are back, and rings once, whatever the list shows meanwhile', async () => {
    await using polling = await learnt(onlyShipments, ({ platform }) => void (platform.shipments = shipments(100)))
    polling.platform.shipments = []
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    polling.platform.shipments = shipments(50)
    for (let round = 0; round < 4; round += 1) expect(typesOf(await polling.pass())).toEqual([])
    expect(await polling.store.holds()).toHaveLength(1)
    polling.platform.shipments = shipments(100)
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.holds()).toEqual([])
  })

  test('what a tracking showed after a 404 is when it was last known to be unchanged', async () => {
    const watch = { shipments: WATCH.shipments, tracking: WATCH.tracking }
    await using polling = await learnt(watch, ({ platform }) => {
      platform.shipments = shipments(1)
      platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    })
    polling.platform.tracking.delete('SHP-1')
    await polling.pass()
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
    await polling.pass()
    const { at } = polling.platform.asked.findLast(({ what }) => what === 'tracking/SHP-1') ?? { at: 0 }
    polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Loaded'))
    const [added] = await polling.pass()
    expect(added?.observed?.notBefore).toBe(at)
  })
})
