import { setImmediate as nextTurn } from 'node:timers/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Committer } from '../../src/poll/committer.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { withFolder } from '../store/folder.ts'
import { batch, sampleState, write } from '../store/samples.ts'

test('commits derive one after the other: none builds on what another is about to replace', async () =>
  withFolder(async (folder) => {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    await store.commit(batch({ records: [write(sampleState('SHP-1'))] }))
    const committer = new Committer({
      store,
      clock: new FakeClock(),
      subscriptions: () => [],
      onDeliveries: () => undefined,
    })
    const remember = async (edge: string): Promise<unknown> =>
      committer.commit('acme', async () => {
        const known = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1') ?? sampleState('SHP-1')
        await nextTurn()
        const state = { ...known, memory: { rung: [...(known.memory.rung ?? []), edge] } }
        return { records: [write(state, { expectedVersion: 0 })] }
      })
    await Promise.all([remember('one'), remember('two'), remember('three')])
    const after = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')
    expect(after?.memory.rung).toEqual(['one', 'two', 'three'])
  }))

test('a commit that fails holds up none after it', async () =>
  withFolder(async (folder) => {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    const committer = new Committer({
      store,
      clock: new FakeClock(),
      subscriptions: () => [],
      onDeliveries: () => undefined,
    })
    const failing = committer.commit('acme', async () => {
      throw new Error('no')
    })
    const next = committer.commit('acme', async () => ({ events: [] }))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toEqual({ events: [] })
  }))
