import { describe, expect, test } from 'vitest'
import type { LivingMessage } from '../../src/model/living-message.ts'
import type { OpenStore } from './conformance.ts'
import { T } from './samples.ts'

const PLACE = { subscription: 'ops', account: 'acme', shipment: 'SHP-1' } as const
const MESSAGE: LivingMessage = {
  ...PLACE,
  channel: 'C0123',
  ts: null,
  postedAt: T,
  beganWith: ['evt_a'],
  shown: ['evt_a', 'evt_b'],
  sequence: 7,
  entry: null,
  toldAt: T,
}

export function describeLiving(open: OpenStore): void {
  describe('messages that are kept up to date', () => {
    test('are known by subscription, account and shipment, as they were saved last', async () => {
      await using store = await open()
      expect(await store.livingMessage(PLACE)).toBeNull()
      await store.saveLivingMessage(MESSAGE)
      expect(await store.livingMessage(PLACE)).toEqual(MESSAGE)
      const named = { ...MESSAGE, ts: '1700000000.000100', postedAt: null, entry: 'evt_c', toldAt: T + 5 }
      await store.saveLivingMessage(named)
      expect(await store.livingMessage(PLACE)).toEqual(named)
      for (const other of [{ subscription: 'erp' }, { account: 'other' }, { shipment: 'SHP-2' }])
        expect(await store.livingMessage({ ...PLACE, ...other })).toBeNull()
    })

    test('go once nothing was told in them for long, a few at a time', async () => {
      await using store = await open()
      for (const [place, shipment] of ['SHP-1', 'SHP-2', 'SHP-3'].entries())
        await store.saveLivingMessage({ ...MESSAGE, shipment, toldAt: T + place })
      const sweep = { before: T + 1, after: null, limit: 1 }
      await store.dropEnded(sweep)
      expect(await store.livingMessage(PLACE)).toBeNull()
      expect(await store.livingMessage({ ...PLACE, shipment: 'SHP-2' })).not.toBeNull()
      await store.dropEnded({ ...sweep, limit: 10 })
      expect(await store.livingMessage({ ...PLACE, shipment: 'SHP-2' })).toBeNull()
      expect(await store.livingMessage({ ...PLACE, shipment: 'SHP-3' })).not.toBeNull()
    })
  })
}
