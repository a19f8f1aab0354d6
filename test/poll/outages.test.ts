import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import { textField } from '../../src/model/json.ts'
import { NO_CLOCK_IS_SET, Polling, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

type Watch = AccountSettings['watch']

const MINUTE = 60_000

const { invoices, tracking } = WATCH
const { documents, locations, order_preparations, purchase_orders } = WATCH_MORE
const ONE: Watch = { shipments: WATCH.shipments }
const TWO: Watch = { ...ONE, invoices }
const FIVE: Watch = { ...TWO, documents, purchase_orders, locations }
const ALL: Watch = { ...FIVE, tracking, order_preparations }

/** An account that was read well, and is read on by a new process. */
async function readWell(watch: Watch, perMinute = 60): Promise<Polling> {
  const budget = { requests: perMinute, perMs: MINUTE, concurrency: 4, share: 1 }
  const polling = new Polling({ watch, budget }, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(2)
  for (const id of ['SHP-1', 'SHP-2']) polling.platform.tracking.set(id, trackingOf(id, 'Gate in'))
  await polling.run(90_000)
  await polling.restart()
  return polling
}

/** What has rung since the baselines, without what each of them rang. */
async function rung(polling: Polling): Promise<readonly string[]> {
  return (await polling.types()).filter((type) => type !== 'account.baseline_completed')
}

/** What fails does so for a while, and then all answers. */
async function failFor(polling: Polling, isBad: (what: string) => boolean, ms = 10 * MINUTE): Promise<void> {
  polling.platform.asked.length = 0
  polling.platform.trouble = (what) => (isBad(what) ? { kind: 'broken' } : null)
  await polling.run(ms)
  polling.platform.trouble = () => null
  await polling.run(6 * MINUTE)
}

const WATCHED: readonly (readonly [string, Watch])[] = [
  ['one list', ONE],
  ['two lists', TWO],
  ['five lists', FIVE],
  ['five lists, tracking and order preparations', ALL],
]

describe('a platform that fails whatever is asked (guarantee D9)', () => {
  test.each(WATCHED)('rings within seconds and few requests, and recovers, each once: %s', async (_, watch) => {
    await using polling = await readWell(watch)
    await failFor(polling, () => true)
    expect(await rung(polling)).toEqual(['account.unreachable', 'account.recovered'])
    const { asked } = polling.platform
    const event = (await polling.events()).find(({ type }) => type === 'account.unreachable')
    const rangAt = Date.parse(textField(event?.extras ?? {}, 'at') ?? '')
    expect(rangAt - (asked[0]?.at ?? 0)).toBeLessThanOrEqual(10_000)
    expect(asked.filter(({ at }) => at <= rangAt).length).toBeLessThanOrEqual(8)
  })

  test.each(WATCHED)('from the first request of all on: %s', async (_, watch) => {
    await using polling = new Polling({ watch }, NO_CLOCK_IS_SET)
    polling.platform.trouble = () => ({ kind: 'unreachable' })
    await polling.run(10_000)
    expect(await polling.types()).toEqual(['account.unreachable'])
    expect(polling.platform.asked.length).toBeLessThanOrEqual(8)
  })

  test('is asked no more than the budget allows', async () => {
    await using polling = await readWell(ALL, 6)
    await failFor(polling, () => true)
    const times = polling.platform.asked.map(({ at }) => at)
    const most = Math.max(...times.map((from) => times.filter((at) => from <= at && at < from + MINUTE).length))
    expect(most).toBeLessThanOrEqual(6)
    expect(await rung(polling)).toEqual(['account.unreachable', 'account.recovered'])
  })
})

describe('lists that answer nothing while others do (guarantee D9)', () => {
  test.each([
    ['one of two', TWO, ['invoices']],
    ['the first of five', FIVE, ['shipments']],
    ['one of five', FIVE, ['documents']],
    ['two of five', FIVE, ['invoices', 'documents']],
    ['two of three, beside tracking', { ...TWO, documents, tracking }, ['shipments', 'invoices']],
    ['three of five', FIVE, ['shipments', 'invoices', 'documents']],
  ])('ring by themselves alone: %s', async (_, watch, dead) => {
    await using polling = await readWell(watch)
    await failFor(polling, (what) => dead.some((list) => what.startsWith(`${list}?`)))
    expect(await rung(polling)).toEqual([
      ...dead.map(() => 'account.list_incomplete'),
      ...dead.map(() => 'account.recovered'),
    ])
  })

  test('ring so in an account that never read them, too', async () => {
    await using polling = new Polling({ watch: FIVE }, NO_CLOCK_IS_SET)
    await failFor(polling, (what) => what.startsWith('shipments?') || what.startsWith('documents?'))
    const types = ['account.list_incomplete', 'account.list_incomplete', 'account.recovered', 'account.recovered']
    expect(await rung(polling)).toEqual(types)
  })

  test('items that answer show that the account does, where there is no other list', async () => {
    await using polling = await readWell({ ...ONE, tracking })
    await failFor(polling, (what) => what.startsWith('shipments?'))
    expect(await rung(polling)).toEqual(['account.list_incomplete', 'account.recovered'])
  })
})

test.each(WATCHED)('a platform that fails every other time at random hides nothing: %s', async (_, watch) => {
  await using polling = await readWell(watch)
  let seed = 1
  const isBad = (): boolean => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 2 === 0
  }
  polling.platform.shipments = shipments(3)
  await failFor(polling, isBad, 4 * MINUTE)
  const types = await rung(polling)
  expect(types.filter((type) => type === 'shipment.created')).toHaveLength(1)
  const down = types.filter((type) => type === 'account.unreachable' || type === 'account.list_incomplete')
  expect(types.filter((type) => type === 'account.recovered')).toHaveLength(down.length)
  // A back-off for each failure, each of a second at least.
  expect(polling.platform.asked.length).toBeLessThan((10 * MINUTE) / 1_000)
})
