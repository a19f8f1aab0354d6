import { judgeHold } from '../support/judge-hold.ts'
import { describe, expect, test } from 'vitest'
import type { HoldVerdict } from '../../src/model/hold.ts'
import { textField } from '../../src/model/json.ts'
import { baselined, without } from './known-shipments.ts'
import { failFrom } from './poison.ts'
import { Polling, shipment, WATCH } from './polling.ts'
import type { Trouble } from '../support/trouble.ts'

type Kind = Exclude<Trouble['kind'], 'throttled' | 'busy'>

const KINDS: readonly Kind[] = ['forbidden', 'broken', 'garbled', 'rejected', 'unreachable']

/** An account of which a fetch by id has shown what is there. */
async function proving(count = 10): Promise<Polling> {
  const polling = await baselined(count)
  const [first] = polling.platform.shipments
  without(polling, 'SHP-1')
  for (let pass = 0; pass < 2; pass += 1) await polling.pass()
  if (first !== undefined) polling.platform.shipments.unshift(first)
  await polling.pass()
  await polling.restart()
  return polling
}

/** No list shows them any more, and fetches of them fail so. */
function haunt(polling: Polling, kind: Kind, ...ids: readonly string[]): void {
  without(polling, ...ids)
  polling.platform.trouble = (what) => (ids.some((id) => what === `shipment/${id}`) ? { kind } : null)
}

async function passes(polling: Polling, count: number): Promise<readonly string[]> {
  const rung: string[] = []
  for (let pass = 0; pass < count; pass += 1)
    for (const { extras, subject, type } of await polling.pass()) {
      // A fetch that shows what cannot be understood is told by itself.
      if (type === 'account.record_rejected') continue
      rung.push(type.startsWith('account.') ? `${type} ${textField(extras, 'reason') ?? ''}` : `${type} ${subject.id}`)
    }
  return rung
}

async function judge(polling: Polling, verdict: HoldVerdict): Promise<void> {
  expect(await judgeHold(polling.store, { account: 'acme', resource: 'shipment', reason: 'unproved' }, verdict)).toBe(
    true,
  )
}

describe('a record that passes miss while its fetch proves nothing (guarantee D6)', () => {
  test.each(KINDS)('waits for a person after ten passes, and rings once: %s', async (kind) => {
    await using polling = await proving()
    haunt(polling, kind, 'SHP-4', 'SHP-7')
    expect(await passes(polling, 9)).toEqual([])
    const [held, ...more] = await polling.pass()
    expect(more).toEqual([])
    expect(held).toMatchObject({
      type: 'account.removals_held',
      extras: { resource: 'shipments', reason: 'unproved', known: 10, missing: 2, sample: ['SHP-4', 'SHP-7'] },
    })
    await polling.restart()
    expect(await passes(polling, 4)).toEqual([])
    expect(await polling.store.holds()).toMatchObject([
      {
        account: 'acme',
        resource: 'shipment',
        reason: 'unproved',
        missing: 2,
        sample: ['SHP-4', 'SHP-7'],
        verdict: null,
      },
    ])
  })

  test('is removed once it is accepted, and no other record is', async () => {
    await using polling = await proving()
    haunt(polling, 'broken', 'SHP-4', 'SHP-7')
    await passes(polling, 10)
    await judge(polling, 'accept')
    await polling.restart()
    without(polling, 'SHP-9')
    polling.platform.hides = (what) => what === 'shipment/SHP-9'
    expect(await passes(polling, 1)).toEqual(['shipment.removed SHP-4', 'shipment.removed SHP-7'])
    expect(await polling.store.holds()).toEqual([])
    expect(await passes(polling, 3)).toEqual(['shipment.removed SHP-9'])
    polling.platform.shipments.push(shipment('SHP-4'))
    expect(await passes(polling, 1)).toEqual(['shipment.restored SHP-4'])
  })

  test('stays once it is rejected, until it is met again; then passes count anew', { tags: 'long' }, async () => {
    await using polling = await proving()
    haunt(polling, 'forbidden', 'SHP-4')
    await passes(polling, 10)
    await judge(polling, 'reject')
    expect(await polling.store.holds()).toEqual([])
    expect(await passes(polling, 14)).toEqual([])
    polling.platform.shipments.push(shipment('SHP-4'))
    expect(await passes(polling, 2)).toEqual([])
    haunt(polling, 'forbidden', 'SHP-4')
    expect(await passes(polling, 12)).toEqual(['account.removals_held unproved'])
  })

  test('waits no longer once the list shows it, or a fetch by id answers after all', { tags: 'long' }, async () => {
    await using polling = await proving()
    haunt(polling, 'broken', 'SHP-4', 'SHP-7', 'SHP-8')
    await passes(polling, 10)
    polling.platform.shipments.push(shipment('SHP-4'))
    polling.platform.found.set('shipment/SHP-7', shipment('SHP-7'))
    polling.platform.trouble = () => null
    expect(await passes(polling, 2)).toEqual(['shipment.removed SHP-8'])
    expect(await polling.store.holds()).toEqual([])
    expect((await polling.store.doubts('acme', 'shipment')).unproved).toEqual([])
  })

  test(
    'keeps no other removal waiting, however many there are, and costs a few fetches in a pass',
    { tags: 'long' },
    async () => {
      await using polling = await proving(60)
      const ghosts = Array.from({ length: 14 }, (_, nth) => `SHP-${nth + 10}`)
      haunt(polling, 'broken', ...ghosts)
      const rung = await passes(polling, 16)
      expect(new Set(rung)).toEqual(new Set(['account.removals_held unproved']))
      expect(await polling.store.holds()).toMatchObject([{ missing: 14 }])
      without(polling, 'SHP-50')
      polling.platform.asked.length = 0
      expect(await passes(polling, 3)).toEqual(['shipment.removed SHP-50'])
      const fetches = polling.platform.asked.filter(({ what }) => what.startsWith('shipment/'))
      expect(fetches.length).toBeLessThanOrEqual(10)
    },
  )

  test('stands beside the hold of its list, which is judged apart', { tags: 'long' }, async () => {
    await using polling = await proving(20)
    haunt(polling, 'broken', 'SHP-4')
    await passes(polling, 10)
    const there = polling.platform.shipments
    polling.platform.shipments = []
    expect(await passes(polling, 2)).toEqual(['account.removals_held empty'])
    expect((await polling.store.holds()).map(({ missing, reason }) => [reason, missing])).toEqual([
      ['empty', 20],
      ['unproved', 1],
    ])
    polling.platform.shipments = there
    expect(await passes(polling, 1)).toEqual([])
    expect((await polling.store.holds()).map(({ reason }) => reason)).toEqual(['unproved'])
  })

  test(
    'an outage that begins behind ten passes makes nothing wait, and no account is in trouble',
    { tags: 'long' },
    async () => {
      await using polling = await proving()
      haunt(polling, 'forbidden', 'SHP-4')
      await passes(polling, 8)
      failFrom(polling, 'shipments?skip=0')
      await passes(polling, 1)
      haunt(polling, 'forbidden', 'SHP-4')
      await polling.clock.advance(300_000)
      const rung = await passes(polling, 3)
      expect(rung.filter((each) => !each.startsWith('account.recovered'))).toEqual(['account.removals_held unproved'])
    },
  )

  test('waits while rows of its list cannot be read', { tags: 'long' }, async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    await using proved = await proving()
    haunt(proved, 'broken', 'SHP-4')
    proved.platform.trouble = (_what, asked) =>
      asked.id === 'SHP-4' || (asked.id === null && asked.skip <= 2 && asked.skip + asked.take > 2)
        ? { kind: 'broken' }
        : null
    expect(await passes(proved, 12)).toEqual([
      'account.list_incomplete 1 row cannot be read, behind 2 others: the platform answered 500',
    ])
    expect(await polling.store.holds()).toEqual([])
  })
})
