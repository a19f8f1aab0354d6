import { describe, expect, test } from 'vitest'
import { auditAfter } from '../../src/ledger/audits.ts'
import type { QuarantineWrite } from '../../src/store/ports/account-state-port.ts'
import type { ReadBatch } from '../../src/store/ports/commit-port.ts'
import { AT_LENGTH } from '../support/runs.ts'
import type { OpenStore } from './conformance.ts'
import { batch, T } from './samples.ts'

const LIST = { resource: 'shipment', via: 'list' } as const

function learnt(changes: Partial<QuarantineWrite>): ReadBatch {
  return batch({ quarantine: { resource: 'shipment', via: 'list', remember: [], forget: [], ...changes } })
}

export function describeQuarantine(open: OpenStore): void {
  describe('reasons why records cannot be understood', () => {
    test('are remembered once each until they are forgotten', async () => {
      await using store = await open()
      const remember = [
        { id: 'A', reason: 'one' },
        { id: 'A', reason: 'two' },
        { id: null, reason: 'no id' },
        { id: 'B', reason: 'one' },
      ]
      await store.commit(learnt({ remember }))
      await store.commit(learnt({ remember }))
      const ids = ['A', 'B', 'C', '']
      const found = await store.rejections('acme', LIST, ids)
      expect(found.get('A')?.toSorted()).toEqual(['one', 'two'])
      expect(new Map([...found].filter(([id]) => id !== 'A'))).toEqual(
        new Map([
          ['B', ['one']],
          ['', ['no id']],
        ]),
      )
      expect((await store.rejections('other', LIST, ids)).size).toBe(0)
      expect((await store.rejections('acme', { ...LIST, resource: 'invoice' }, ids)).size).toBe(0)
      expect((await store.rejections('acme', { ...LIST, via: 'item' }, ids)).size).toBe(0)
      await store.commit(learnt({ via: 'item', forget: ['B'] }))
      await store.commit(learnt({ forget: ['A', ''] }))
      expect([...(await store.rejections('acme', LIST, ids)).keys()]).toEqual(['B'])
    })

    test.runIf(AT_LENGTH)('are bounded: of a list the oldest beyond 50,000 are forgotten', async () => {
      await using store = await open()
      const remember = Array.from({ length: 50_001 }, (_, index) => ({ id: `R-${index}`, reason: 'bad' }))
      await store.commit(learnt({ remember }))
      const found = await store.rejections('acme', LIST, ['R-0', 'R-1', 'R-50000'])
      expect(new Set(found.keys())).toEqual(new Set(['R-1', 'R-50000']))
    })

    test('are not the paths that change on most reads, which stay with their list', async () => {
      await using store = await open()
      const state = await store.startPass('acme', 'shipment', 1)
      await store.commit(batch({ churning: { resource: 'shipment', paths: ['/a', '/b'] } }))
      await store.commit(batch({ list: { resource: 'shipment', state: { ...state, completedAt: 2 } } }))
      expect((await store.listState('acme', 'shipment')).churning).toEqual(['/a', '/b'])
      expect((await store.listState('acme', 'invoice')).churning).toEqual([])
      expect((await store.listState('other', 'shipment')).churning).toEqual([])
    })

    test('are not what samples of a list came to, which stay with it, and are shown', async () => {
      await using store = await open()
      const state = await store.startPass('acme', 'shipment', 1)
      const { audit } = auditAfter(null, { kind: 'stale', fields: ['/status'], id: 'SHP-1', at: T })
      await store.commit(batch({ audit: { resource: 'shipment', audit } }))
      await store.commit(batch({ list: { resource: 'shipment', state: { ...state, completedAt: 2 } } }))
      expect((await store.listState('acme', 'shipment')).audit).toEqual(audit)
      const [account] = await store.accounts(T)
      expect(account?.lists.map(({ audit: shown, resource }) => [resource, shown])).toEqual([['shipment', audit]])
    })
  })
}
