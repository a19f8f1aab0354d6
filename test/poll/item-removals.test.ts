import { judgeHold } from '../support/judge-hold.ts'
import { describe, expect, test } from 'vitest'
import { Polling, shipments, WATCH, WATCH_MORE } from './polling.ts'
import { typesOf } from './emitted.ts'

function referencesTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `OP-${index + 1}`)
}

function fill({ platform }: Polling, references: readonly string[]): void {
  for (const reference of references) platform.orderPreparations.set(reference, { name: reference })
}

function take({ platform }: Polling, references: readonly string[]): void {
  for (const reference of references) platform.orderPreparations.delete(reference)
}

function watching(references: readonly string[]): object {
  return { order_preparations: { ...WATCH_MORE.order_preparations, references } }
}

async function learnt(references: readonly string[], watch: object = {}): Promise<Polling> {
  const polling = new Polling({ watch: { ...watching(references), ...watch } })
  fill(polling, references)
  polling.platform.shipments = shipments(4)
  await polling.pass()
  return polling
}

/** Ten of twenty are not found, which is not believed. */
async function withHold(): Promise<Polling> {
  const polling = await learnt(referencesTo(20))
  take(polling, referencesTo(10))
  await polling.pass()
  await polling.pass()
  expect(await polling.store.holds()).toMatchObject([
    { account: 'acme', resource: 'order_preparation', reason: 'too_many', known: 20, missing: 10 },
  ])
  return polling
}

describe('order preparations that vanish together (guarantee D6)', () => {
  test("another account's key takes none away, says so once, and the hold ends when they return", async () => {
    const references = referencesTo(4)
    await using polling = await learnt(references)
    polling.platform.orderPreparations.clear()
    const [held, ...others] = await polling.pass()
    expect(others).toEqual([])
    expect(held).toMatchObject({
      type: 'account.removals_held',
      extras: { resource: 'order_preparations', reason: 'other_account', known: 4, missing: 4, sample: references },
    })
    for (let round = 0; round < 3; round += 1) expect(await polling.pass()).toEqual([])
    fill(polling, references)
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.holds()).toEqual([])
    take(polling, ['OP-2'])
    expect(await polling.pass()).toEqual([])
    expect(typesOf(await polling.pass())).toEqual(['order_preparation.removed'])
  })

  test('more than a pass may take away are held when they are missed twice, across a restart', async () => {
    await using polling = await learnt(referencesTo(20))
    take(polling, referencesTo(10))
    expect(await polling.pass()).toEqual([])
    await polling.restart()
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    await polling.restart()
    for (let round = 0; round < 3; round += 1) expect(await polling.pass()).toEqual([])
    fill(polling, referencesTo(10))
    expect(await polling.pass()).toEqual([])
    expect(await polling.store.holds()).toEqual([])
  })

  test('accept removes them with the next round', async () => {
    await using polling = await withHold()
    expect(await judgeHold(polling.store, { account: 'acme', resource: 'order_preparation' }, 'accept')).toBe(true)
    expect(typesOf(await polling.pass())).toEqual(referencesTo(10).map(() => 'order_preparation.removed'))
    expect(await polling.store.holds()).toEqual([])
    expect(await polling.pass()).toEqual([])
    const { at } = polling.platform.asked.findLast(({ what }) => what.endsWith('/OP-1')) ?? { at: 0 }
    fill(polling, ['OP-1'])
    expect(await polling.pass()).toMatchObject([{ type: 'order_preparation.restored', observed: { notBefore: at } }])
  })

  test('reject forgets the hold; if it is still so after two more rounds it rings anew', async () => {
    await using polling = await withHold()
    expect(await judgeHold(polling.store, { account: 'acme', resource: 'order_preparation' }, 'reject')).toBe(true)
    expect(await polling.store.holds()).toEqual([])
    expect(await polling.pass()).toEqual([])
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
  })

  test('a round of the daemon counts once, however many batches read it', async () => {
    const references = referencesTo(120)
    await using polling = await learnt(references)
    take(polling, references.slice(0, 100))
    await polling.run(10 * 60_000)
    expect((await polling.types()).slice(-2)).toEqual(['account.baseline_completed', 'account.removals_held'])
    await judgeHold(polling.store, { account: 'acme', resource: 'order_preparation' }, 'accept')
    await polling.run(2 * 60_000)
    expect((await polling.types()).filter((type) => type === 'order_preparation.removed')).toHaveLength(100)
  })

  test('what is not configured any more, and what never existed, is not missed', async () => {
    await using polling = await learnt(referencesTo(8))
    const names = [...referencesTo(2), 'OP-nowhere']
    await polling.restart({ watch: watching(names) })
    for (let round = 0; round < 3; round += 1) expect(await polling.pass()).toEqual([])
    take(polling, ['OP-1'])
    await polling.pass()
    expect(typesOf(await polling.pass())).toEqual(['order_preparation.removed'])
  })

  test('nothing is removed while a list of the account is held', async () => {
    await using polling = await learnt(['OP-1'], { shipments: WATCH.shipments })
    polling.platform.shipments = []
    polling.platform.orderPreparations.clear()
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    for (let round = 0; round < 3; round += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = shipments(4)
    await polling.pass()
    await polling.pass()
    expect(typesOf(await polling.events()).filter((type) => type === 'order_preparation.removed')).toHaveLength(1)
  })

  test.each(['rejected', 'not watched any more'] as const)('a hold of a list that is %s keeps none', async (how) => {
    const documents = { documents: WATCH_MORE.documents }
    await using polling = new Polling({ watch: { ...watching(['OP-1', 'OP-2']), ...documents } })
    fill(polling, ['OP-1', 'OP-2'])
    polling.platform.documents = [{ id: 'D1', name: 'x' }]
    await polling.pass()
    take(polling, ['OP-1'])
    expect(await polling.pass()).toEqual([])
    polling.platform.documents = []
    expect(typesOf(await polling.pass())).toEqual(['account.removals_held'])
    if (how === 'rejected') await judgeHold(polling.store, { account: 'acme', resource: 'document' }, 'reject')
    else await polling.restart({ watch: watching(['OP-1', 'OP-2']) })
    expect(typesOf(await polling.pass())).toEqual(['order_preparation.removed'])
  })

  test('one that cannot be read keeps no other from being removed', async () => {
    await using polling = await learnt(referencesTo(3))
    polling.platform.trouble = (what) => (what.endsWith('OP-3') ? { kind: 'broken' } : null)
    take(polling, ['OP-1'])
    await polling.run(60 * 60_000)
    expect(typesOf(await polling.events()).filter((type) => type === 'order_preparation.removed')).toHaveLength(1)
  })

  test('a clock set back by a day stops neither reading nor judging', async () => {
    await using polling = await learnt(['OP-1', 'OP-2'])
    polling.clock.jump(polling.clock.now() - 86_400_000)
    take(polling, ['OP-1'])
    await polling.pass()
    await polling.pass()
    expect(typesOf(await polling.events()).filter((type) => type === 'order_preparation.removed')).toHaveLength(1)
  })
})
