import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment } from './polling.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SELDOM = { everyMs: 10 * MINUTE, ignore: [] }
const SMALL = { requests: 2, perMs: MINUTE, concurrency: 1, share: 1 }

/** The fake clock starts on 2026-11-21 at 08:00 UTC. */
function invoice(id: string, due_date: string, fields: JsonObject = {}): JsonObject {
  return { reference: id, type: 'invoice', status: 'available', due_date, lines: [], ...fields }
}

async function baselined(...invoices: JsonObject[]): Promise<Polling> {
  const polling = new Polling({ budget: SMALL, watch: { invoices: { ...SELDOM, dueSoonMs: [DAY] } } })
  polling.platform.invoices = invoices
  polling.platform.platformClock = (now) => now
  await polling.pass()
  await polling.restart()
  return polling
}

/** Most of the time no daemon runs. */
async function pass(polling: Polling, ms: number): Promise<void> {
  await polling.clock.advance(ms - 11 * MINUTE)
  await polling.run(11 * MINUTE)
}

async function emitted(polling: Polling): Promise<readonly string[]> {
  const events = await polling.events()
  return events
    .filter(({ cause, type }) => cause === 'calendar' || type === 'account.clock_differs')
    .map(({ type, subject }) => (type.startsWith('account') ? type : `${type} ${subject.id}`))
}

/** This machine's clock is set so much ahead, while the platform's goes on. */
function leap(polling: Polling, ms: number): void {
  polling.clock.jump(polling.clock.now() + ms)
  polling.platform.platformClock = (now) => now - ms
}

function fetches(polling: Polling): number {
  return polling.platform.asked.filter(({ what }) => what.startsWith('invoice/')).length
}

describe('a clock that is ahead of what answers are dated by', () => {
  test('rings no due date early, says once that it differs, and rings when both clocks have come by', async () => {
    await using polling = await baselined(invoice('INV-1', '2026-11-23'))
    leap(polling, 2 * DAY)
    await pass(polling, HOUR)
    expect(await emitted(polling)).toEqual(['account.clock_differs'])
    const differs = (await polling.events()).find(({ type }) => type === 'account.clock_differs')
    expect(differs?.extras).toMatchObject({ difference_seconds: 172_800 })
    expect(fetches(polling)).toBeLessThan(3)
    await polling.restart()
    await pass(polling, 14 * HOUR)
    expect(await emitted(polling)).toEqual(['account.clock_differs'])
    await pass(polling, 2 * HOUR)
    expect(await emitted(polling)).toEqual(['account.clock_differs', 'invoice.due_soon INV-1'])
    await pass(polling, 2 * DAY)
    expect(await emitted(polling)).toEqual([
      'account.clock_differs',
      'invoice.due_soon INV-1',
      'invoice.due INV-1',
      'invoice.overdue INV-1',
    ])
    const due = (await polling.events()).find(({ type }) => type === 'invoice.due_soon')
    expect(due?.extras).toMatchObject({ days_left: 1 })
  })

  test(
    'that is corrected rings what is due in time, and says so again when it differs again',
    { tags: 'long' },
    async () => {
      await using polling = await baselined(invoice('INV-1', '2026-11-23'))
      leap(polling, 5 * DAY)
      await pass(polling, HOUR)
      polling.clock.jump(polling.clock.now() - 5 * DAY)
      polling.platform.platformClock = (now) => now
      await pass(polling, 16 * HOUR)
      expect(await emitted(polling)).toEqual(['account.clock_differs', 'invoice.due_soon INV-1'])
      leap(polling, 5 * DAY)
      await pass(polling, HOUR)
      expect(await emitted(polling)).toEqual([
        'account.clock_differs',
        'invoice.due_soon INV-1',
        'account.clock_differs',
      ])
    },
  )

  test('leaves edges at the baseline, and of new invoices, to ring in their time', { tags: 'long' }, async () => {
    await using polling = await baselined()
    leap(polling, 2 * DAY)
    polling.platform.invoices = [invoice('INV-2', '2026-11-22')]
    await pass(polling, HOUR)
    expect((await polling.types()).filter((type) => type.startsWith('invoice.'))).toEqual([
      'invoice.created',
      'invoice.due_soon',
    ])
    await pass(polling, 16 * HOUR)
    expect((await emitted(polling)).filter((each) => each.startsWith('invoice'))).toEqual([
      'invoice.due_soon INV-2',
      'invoice.due INV-2',
    ])
  })

  test('makes no milestone overdue before the platform says that it is so late', async () => {
    const entry = { date: '2026-11-22T08:00:00Z', status: 'estimated' }
    await using polling = new Polling({ budget: SMALL, watch: { shipments: { ...SELDOM, milestoneGraceMs: DAY } } })
    polling.platform.shipments = [shipment('SHP-1', { main_tracking_dates: { delivery_date: entry } })]
    polling.platform.platformClock = (now) => now
    await polling.pass()
    await polling.restart()
    leap(polling, 10 * DAY)
    await pass(polling, 47 * HOUR)
    expect(await emitted(polling)).toEqual([])
    await pass(polling, 2 * HOUR)
    expect(await emitted(polling)).toEqual(['shipment.milestone_overdue SHP-1'])
  })
})

describe('clocks that say nothing, or the same', () => {
  test.each([
    ['no date', () => null],
    ['a minute and a half behind', (now: number) => now - 90_000],
    ['a minute and a half ahead', (now: number) => now + 90_000],
  ])('ring what is due in time: %s', async (_, platformClock) => {
    await using polling = await baselined(invoice('INV-1', '2026-11-23'))
    polling.platform.platformClock = platformClock
    await pass(polling, 17 * HOUR)
    expect(await emitted(polling)).toEqual(['invoice.due_soon INV-1'])
  })

  test('a clock that is behind rings by itself, and says so once', async () => {
    await using polling = await baselined(invoice('INV-1', '2026-11-23'))
    polling.platform.platformClock = (now) => now + DAY
    await pass(polling, 15 * HOUR)
    expect(await emitted(polling)).toEqual([])
    await pass(polling, 2 * HOUR)
    expect(await emitted(polling)).toEqual(['account.clock_differs', 'invoice.due_soon INV-1'])
    await pass(polling, 2 * DAY)
    expect((await emitted(polling)).filter((type) => type === 'account.clock_differs')).toHaveLength(1)
  })

  test('fetches that a cache dates wrongly keep due dates back, and are not asked for without end', async () => {
    await using polling = await baselined(invoice('INV-1', '2026-11-23'))
    await pass(polling, 15 * HOUR)
    let isFetch = false
    polling.platform.trouble = (what) => {
      isFetch = what.startsWith('invoice/')
      return null
    }
    polling.platform.platformClock = (now) => now - (isFetch ? DAY : 0)
    await pass(polling, 3 * HOUR)
    expect(await emitted(polling)).toEqual(['account.clock_differs'])
    expect(fetches(polling)).toBeLessThan(10)
  })
})

test(
  'one dated error from elsewhere holds nothing up where the platform dates none of its answers',
  { tags: 'long' },
  async () => {
    await using polling = await baselined(invoice('INV-1', '2026-11-22'))
    const { platform } = polling
    await polling.clock.advance(15 * HOUR)
    const dates = [polling.clock.now() - 30 * DAY]
    platform.trouble = () => (dates.length > 0 ? { kind: 'broken' } : null)
    platform.platformClock = () => dates.pop() ?? null
    await polling.run(2 * HOUR)
    expect(dates).toEqual([])
    expect(await emitted(polling)).toEqual(['invoice.due INV-1'])
  },
)
