import { describe, expect, test } from 'vitest'
import type { OpenStore } from './conformance.ts'
import { batch, T } from './samples.ts'

export function describeValidators(open: OpenStore): void {
  describe('ETags that were caught lying', () => {
    test('are remembered for the resource, whatever else is learnt of it', async () => {
      await using store = await open()
      const list = await store.startPass('acme', 'shipment', T)
      await store.startPass('acme', 'invoice', T)
      expect((await store.listState('acme', 'shipment')).validatorsLie).toBe(false)
      await store.commit(batch({ lyingValidators: 'shipment' }))
      await store.commit(batch({ list: { resource: 'shipment', state: list } }))
      expect((await store.listState('acme', 'shipment')).validatorsLie).toBe(true)
      expect((await store.listState('acme', 'invoice')).validatorsLie).toBe(false)
      expect((await store.listState('other', 'shipment')).validatorsLie).toBe(false)
    })
  })
}
