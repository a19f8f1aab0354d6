import { rename } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { withFolder } from './folder.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'

const MINUTE = 60_000

/** A store that is a file with one delivery that is due, and a way to have its transactions fail. */
async function withDelivery(work: (stage: Stage) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    putEmptyStore(path)
    await using store = openStore({ path })
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_1', { timestamp: T + MINUTE })], ['erp'])
    const claim = async (wallNow = T) => {
      const slots = new Map([['erp', 1]])
      return await store.claim({ owner: 'one', now: T, wallNow, leaseMs: MINUTE, slots })
    }
    const settle = async (id: string, result: AttemptResult['result']) => {
      const made = result.kind === 'delivered' ? success() : result.kind === 'released' ? null : attempt()
      await store.settle('one', [{ id, attempt: made, result }])
    }
    const failing = async (act: () => Promise<unknown>) => {
      await rename(path, `${path}.gone`)
      await expect(act()).rejects.toMatchObject({ code: 'store_unusable' })
      await rename(`${path}.gone`, path)
    }
    await work({ path, store, claim, settle, failing })
  })
}

interface Stage {
  readonly path: string
  readonly store: ReturnType<typeof openStore>
  readonly claim: (wallNow?: number) => ReturnType<ReturnType<typeof openStore>['claim']>
  readonly settle: (id: string, result: AttemptResult['result']) => Promise<void>
  readonly failing: (act: () => Promise<unknown>) => Promise<void>
}

test('a claim that could not be committed is none', async () => {
  await withDelivery(async ({ claim, failing }) => {
    await failing(claim)
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toEqual([])
  })
})

test('an outcome that could not be committed can be written again, and nobody takes the row before', async () => {
  await withDelivery(async ({ claim, failing, settle, store }) => {
    const [row] = await claim()
    const id = row?.id ?? ''
    await failing(() => settle(id, { kind: 'delivered' }))
    expect(await claim()).toEqual([])
    await settle(id, { kind: 'delivered' })
    expect(await deliveriesOf(store, { id, limit: 1 })).toMatchObject([{ state: 'delivered', attempts: 1 }])
    expect(await store.attempts(id)).toHaveLength(1)
  })
})

test('a claim ends with the store that was opened for it', async () => {
  await withDelivery(async ({ claim, path, settle }) => {
    const [row] = await claim()
    await using next = openStore({ path })
    const slots = new Map([['erp', 1]])
    expect(await next.claim({ owner: 'one', now: T, leaseMs: MINUTE, slots })).toMatchObject([{ id: row?.id }])
    await settle(row?.id ?? '', { kind: 'delivered' })
    await next.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
    expect(await next.nextDueAt()).toBeNull()
  })
})

test('a row that was due by a clock that was ahead is not taken for one that a command asked for', async () => {
  await withDelivery(async ({ claim, settle, store }) => {
    const [row] = await claim(T)
    const id = row?.id ?? ''
    await settle(id, { kind: 'released' })
    expect(await deliveriesOf(store, { id, limit: 1 })).toMatchObject([{ state: 'pending', nextAttemptAt: T }])
    await claim(T)
    await settle(id, { kind: 'exhausted' })
    expect(await deliveriesOf(store, { id, limit: 1 })).toMatchObject([{ state: 'exhausted' }])
  })
})

test('a row that a command asked for meanwhile is due again where its attempt fails', async () => {
  await withDelivery(async ({ claim, settle, store }) => {
    const [row] = await claim(T)
    const id = row?.id ?? ''
    await store.retry([id], { at: T + 2 * MINUTE, delivered: false })
    expect(await claim(T)).toEqual([])
    await settle(id, { kind: 'exhausted' })
    expect(await deliveriesOf(store, { id, limit: 1 })).toMatchObject([
      { state: 'pending', nextAttemptAt: T + 2 * MINUTE },
    ])
    expect(await claim(T)).toHaveLength(1)
  })
})

describe('with `order: subject`', () => {
  test('a lane waits for a row that was discarded while it is sent, also where its claim has run out', async () => {
    await withLanes(async ({ about, claim, store }) => {
      await about('a1', 'a2')
      expect(await claim()).toEqual(['a1'])
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: true })
      await about('a3', 'b1')
      expect(await claim(T + 2 * MINUTE, 1)).toEqual(['b1'])
      expect(await claim(T + 2 * MINUTE)).toEqual([])
    })
  })

  test('an older row that a command asks for waits for the one that is sent, also where its claim has run out', async () => {
    await withLanes(async ({ about, claim, settle, store }) => {
      await about('a1', 'a2')
      await claim()
      const [first] = await deliveriesOf(store, { id: 'a1', limit: 1 })
      await settle('a1', { kind: 'exhausted' })
      expect(await claim()).toEqual(['a2'])
      await store.retry([first?.id ?? ''], { at: T, delivered: false })
      expect(await claim(T + 2 * MINUTE)).toEqual([])
      await settle('a2', { kind: 'delivered' })
      expect(await claim(T + 2 * MINUTE)).toEqual(['a1'])
    })
  })

  test('nothing is due that a claim would not take', async () => {
    await withLanes(async ({ about, claim, settle, store }) => {
      await about('a1')
      await claim()
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: true })
      expect(await store.nextDueAt()).toBeNull()
      await about('a2')
      expect(await store.nextDueAt()).toBeNull()
      expect(await store.waiting({ now: T, most: new Map([['erp', 9]]) })).toEqual([])
      await settle('a1', { kind: 'exhausted' })
      expect(await store.nextDueAt()).toBe(T)
      expect(await claim()).toEqual(['a2'])
    })
  })
})

interface Lanes {
  readonly store: ReturnType<typeof openStore>
  /** Events named `<subject><number>`. */
  readonly about: (...names: readonly string[]) => Promise<void>
  readonly claim: (now?: number, slots?: number) => Promise<readonly string[]>
  readonly settle: (event: string, result: AttemptResult['result']) => Promise<void>
}

async function withLanes(work: (stage: Lanes) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    putEmptyStore(path)
    await using store = openStore({ path })
    await store.syncSubscriptions([{ name: 'erp', enabled: true, order: 'subject' }], T)
    const about = async (...names: readonly string[]) => {
      const events = names.map((name) =>
        sampleEvent(name, { subject: { resource: 'shipment', id: name.charAt(0), version: 1, previousEventId: null } }),
      )
      await ring(store, events, ['erp'])
    }
    const claim = async (now = T, slots = 9) => {
      const rows = await store.claim({ owner: 'one', now, leaseMs: MINUTE, slots: new Map([['erp', slots]]) })
      return rows.map(({ event }) => event.id)
    }
    const settle = async (event: string, result: AttemptResult['result']) => {
      const [row] = await deliveriesOf(store, { id: event, limit: 1 })
      const made = result.kind === 'delivered' ? success() : attempt()
      await store.settle('one', [{ id: row?.id ?? '', attempt: made, result }])
    }
    await work({ store, about, claim, settle })
  })
}
