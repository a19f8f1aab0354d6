import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, T } from './samples.ts'

const OWN = { name: 'cust', settings: '{"events":["*"]}', sealed: 'sealed', ordered: 0 }
const MAKE = { kind: 'make', at: T, most: 2, owner: null, ...OWN } as const
const VERIFY = { kind: 'verify', name: 'cust', addressedAt: T, at: T + 1 } as const
const END = { kind: 'end', name: 'cust', at: T + 2 } as const
const FILE = [{ name: 'erp', enabled: true }]

export function describeRuntime(open: OpenStore): void {
  describe('subscriptions made at run time', () => {
    test('are held until they are verified, and a file that does not name them leaves them be', async () => {
      await using store = await open()
      await store.syncSubscriptions(FILE, T)
      expect(await store.changeRuntime(MAKE)).toBeNull()
      await ring(store, [sampleEvent('evt_1')], ['cust', 'erp'])
      expect(await stateOf(store)).toEqual(['held', false])
      await store.syncSubscriptions(FILE, T)
      expect(await stateOf(store)).toEqual(['held', false])
      expect(await store.changeRuntime(VERIFY)).toBeNull()
      expect(await stateOf(store)).toEqual(['pending', true])
      await store.syncSubscriptions(FILE, T)
      expect(await stateOf(store)).toEqual(['pending', true])
      expect((await store.endpoints()).map(({ runtime, subscription }) => [subscription, runtime?.owner])).toEqual([
        ['cust', null],
        ['erp', undefined],
      ])
    })

    test('are seen by whoever looks, once for each change', async () => {
      await using store = await open()
      expect(await store.runtimeSurvey()).toEqual({ revision: 0, subscriptions: [] })
      await store.changeRuntime(MAKE)
      const { revision = 0, subscriptions = [] } = (await store.runtimeSurvey(0)) ?? {}
      expect([revision, subscriptions]).toMatchObject([
        1,
        [{ ...OWN, owner: null, madeAt: T, endedAt: null, revision: 1 }],
      ])
      expect(await store.runtimeSurvey(revision)).toBeNull()
      expect(await store.changeRuntime(MAKE)).toBe('name taken')
      expect(await store.runtimeSurvey(revision)).toBeNull()
      await store.changeRuntime(VERIFY)
      expect(await store.runtimeSurvey(revision)).toMatchObject({ revision: 2, subscriptions: [{ verifiedAt: T + 1 }] })
    })

    test('end with what waits, and give their name back once nothing is left of them', async () => {
      await using store = await open()
      await store.syncSubscriptions(FILE, T)
      await store.changeRuntime(MAKE)
      await ring(store, [sampleEvent('evt_1')], ['cust'])
      expect(await store.changeRuntime({ ...MAKE, name: 'erp' })).toBe('name of file')
      expect(await store.changeRuntime(END)).toBeNull()
      expect(await store.changeRuntime(MAKE)).toBe('rows wait')
      expect(await store.discard('cust', T + 2)).toBe(1)
      expect((await store.endpoints()).map(({ subscription }) => subscription)).toEqual(['erp'])
      expect(await store.changeRuntime({ ...MAKE, owner: 'other' })).toBe('name of another')
      await store.changeRuntime({ kind: 'forget', at: T + 60_003 })
      expect((await store.runtimeSurvey())?.subscriptions).toMatchObject([{ name: 'cust', sealed: '', endedAt: T + 2 }])
      expect(await store.changeRuntime(MAKE)).toBeNull()
      expect(await store.changeRuntime({ ...END, at: T + 4 })).toBeNull()
    })

    test('that never had a row are forgotten with their endpoint', async () => {
      await using store = await open()
      await store.changeRuntime(MAKE)
      await store.changeRuntime(END)
      await store.changeRuntime({ kind: 'forget', at: T + 60_003 })
      expect(await store.runtimeSurvey()).toMatchObject({ subscriptions: [] })
      expect(await store.endpoints()).toEqual([])
      expect(await store.changeRuntime({ ...MAKE, owner: 'other' })).toBeNull()
    })

    test('begin anew at another address, unless a command disabled them', async () => {
      await using store = await open()
      await store.changeRuntime(MAKE)
      await store.changeRuntime(VERIFY)
      const moved = { kind: 'alter', isReaddressed: true, isRenewed: true, at: T + 3, ...OWN } as const
      const disabled = async (): Promise<unknown> => (await store.endpoints())[0]?.disabled?.by ?? null
      await store.disable('cust', { reason: 'by command', at: T + 2 })
      expect(await store.changeRuntime({ ...moved, from: 2 })).toBeNull()
      expect(await disabled()).toBe('command')
      await store.enable('cust', { at: T + 2, discard: false })
      await store.changeRuntime({ ...VERIFY, addressedAt: T + 3 })
      await ring(store, [sampleEvent('evt_1')], ['cust'])
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1e9, slots: new Map([['cust', 1]]) })
      const gone = attempt({ status: 410, error: 'It answered 410 Gone' })
      await store.settle('one', [
        { id: row?.id ?? '', attempt: gone, result: { kind: 'disable', reason: 'it answered 410' } },
      ])
      expect(await disabled()).toBe('gone')
      expect(await store.changeRuntime({ ...moved, from: 4 })).toBeNull()
      expect(await disabled()).toBeNull()
    })

    test('give way to a file that takes their name', async () => {
      await using store = await open()
      await store.changeRuntime(MAKE)
      await store.changeRuntime(VERIFY)
      await store.syncSubscriptions([...FILE, { name: 'cust', enabled: true }], T)
      const verdicts = new Map([['cust', { by: 'file', reason: 'it is there' } as const]])
      expect(await store.changeRuntime({ kind: 'judge', verdicts, at: T + 2 })).toBeNull()
      expect((await store.endpoints()).find(({ subscription }) => subscription === 'cust')).toMatchObject({
        configured: true,
        enabled: true,
        runtime: null,
      })
      await store.syncSubscriptions(FILE, T)
      expect((await store.endpoints()).find(({ subscription }) => subscription === 'cust')).toMatchObject({
        configured: false,
        runtime: { disabled: { by: 'file' } },
      })
    })
  })
}

/** The state of the one row of `cust`, and whether its endpoint is enabled. */
async function stateOf(store: Store): Promise<unknown> {
  const { items } = await store.deliveryPage({ subscription: 'cust', limit: 5 })
  const endpoint = (await store.endpoints()).find(({ subscription }) => subscription === 'cust')
  return [...items.map(({ state }) => state), endpoint?.enabled]
}
