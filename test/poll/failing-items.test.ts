import { describe, expect, test } from 'vitest'
import { typesOf } from './emitted.ts'
import { failing, failTogether, gapsOf, HOUR, MINUTE, timesOf, tracked } from './failing-items.ts'
import { NO_CLOCK_IS_SET, Polling, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

function nth(id: string): number {
  return Number(id.slice(4))
}

function watching(...references: string[]): object {
  return { watch: { order_preparations: { ...WATCH_MORE.order_preparations, references } } }
}

describe('an item that always fails while others answer (guarantee D9)', () => {
  test.each([
    ['the first ones', (id: string) => nth(id) <= 14, { kind: 'broken' }],
    ['every third', (id: string) => nth(id) % 3 === 0, { kind: 'unreachable' }],
    ['the last ones', (id: string) => nth(id) > 28, { kind: 'garbled' }],
  ] as const)('costs the others nothing: %s of 42', async (_, isBad, trouble) => {
    await using polling = tracked(42)
    failing(polling, isBad, trouble)
    await polling.run(6 * MINUTE)
    for (let each = 1; each <= 42; each += 1) {
      const times = timesOf(polling, `tracking/SHP-${each}`)
      if (isBad(`SHP-${each}`)) expect(gapsOf(times)).toEqual(gapsOf(times).toSorted((one, other) => one - other))
      else expect(Math.max(...gapsOf(times))).toBeLessThanOrEqual(2 * MINUTE + 1_000)
    }
    expect((await polling.types()).toSorted()).toEqual(Array(3).fill('account.baseline_completed'))
    expect(Math.max(...gapsOf(timesOf(polling, 'shipments?skip=0')))).toBeLessThanOrEqual(MINUTE + 1_000)
  })

  test('is silent when it first answers, as it was known at the baseline, and rings from then on', async () => {
    await using polling = tracked(5)
    failing(polling, (id) => id === 'SHP-2')
    await polling.run(2 * MINUTE)
    failing(polling, () => false)
    await polling.run(10 * MINUTE)
    expect(timesOf(polling, 'tracking/SHP-2').length).toBeGreaterThan(4)
    expect(await polling.types()).toEqual(Array(3).fill('account.baseline_completed'))
    polling.platform.tracking.set('SHP-2', trackingOf('SHP-2', 'Gate in', 'Loaded'))
    await polling.run(4 * MINUTE)
    expect((await polling.types()).slice(3)).toEqual(['tracking.event_added'])
  })

  test('of order preparations is silent when it first answers, too, and one that is configured later is not', async () => {
    await using polling = new Polling(watching('OP-1', 'OP-2'), NO_CLOCK_IS_SET)
    for (const name of ['OP-1', 'OP-2', 'OP-3']) polling.platform.orderPreparations.set(name, { name })
    failing(polling, (id) => id === 'OP-2')
    await polling.run(2 * MINUTE)
    failing(polling, () => false)
    await polling.run(10 * MINUTE)
    await polling.restart(watching('OP-1', 'OP-2', 'OP-3'))
    await polling.run(2 * MINUTE)
    expect(await polling.types()).toEqual(['account.baseline_completed', 'order_preparation.created'])
  })

  test('goes on waiting after a restart', async () => {
    await using polling = tracked(3)
    failing(polling, (id) => id === 'SHP-2')
    await polling.run(12 * MINUTE)
    const before = timesOf(polling, 'tracking/SHP-2')
    await polling.restart()
    await polling.run(12 * MINUTE)
    const after = timesOf(polling, 'tracking/SHP-2')
    expect(after).toHaveLength(before.length + 1)
    expect(gapsOf(after).at(-1)).toBe(640_020)
  })

  test('is read by each `once`, which says that it cannot be read, however long it waits', async () => {
    await using polling = tracked(42)
    failing(polling, (id) => nth(id) <= 14)
    await polling.run(12 * MINUTE)
    const { length } = timesOf(polling, 'tracking/SHP-2')
    await polling.restart()
    const incomplete = async (): Promise<string | null | undefined> => {
      await polling.pass()
      return polling.once.find(({ resource }) => resource === 'tracking')?.incomplete
    }
    expect(await incomplete()).toMatch(/^14 .* for example/)
    expect(timesOf(polling, 'tracking/SHP-2').length).toBeGreaterThan(length)
    failing(polling, () => false)
    expect(await incomplete()).toBe(null)
    expect(await polling.types()).not.toContain('account.unreachable')
  })

  test('with Retry-After is obeyed, and the account is reachable all the same', async () => {
    await using polling = tracked(3)
    await polling.run(MINUTE)
    polling.platform.trouble = (what) => (what === 'tracking/SHP-2' ? { kind: 'busy', retryAfterMs: 90_000 } : null)
    await polling.run(3 * MINUTE)
    const [asked = 0] = timesOf(polling, 'tracking/SHP-2').slice(1)
    const next = polling.platform.asked.find(({ at }) => at > asked)
    expect((next?.at ?? 0) - asked).toBe(90_020)
    expect(await polling.types()).not.toContain('account.unreachable')
  })

  test('that proves no removal costs its list nothing', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(20)
    await polling.run(2 * MINUTE)
    polling.platform.shipments = shipments(19)
    await polling.run(3 * MINUTE)
    polling.platform.shipments = shipments(18)
    failing(polling, () => true)
    await polling.run(20 * MINUTE)
    expect(Math.max(...gapsOf(timesOf(polling, 'shipments?skip=0')))).toBeLessThanOrEqual(MINUTE)
    expect(await polling.types()).toEqual(['account.baseline_completed', 'shipment.removed', 'account.removals_held'])
  })

  test('that verifies no invoice costs its list nothing, and is asked for less and less often', async () => {
    const watch = { invoices: { ...WATCH.invoices, everyMs: 10 * MINUTE } }
    const budget = { requests: 600, perMs: HOUR, concurrency: 4, share: 1 }
    await using polling = new Polling({ watch, budget }, NO_CLOCK_IS_SET)
    const fields = { type: 'invoice', status: 'available', due_date: '2026-11-22', lines: [] }
    polling.platform.invoices = Array.from({ length: 12 }, (_, at) => ({ reference: `INV-${at}`, ...fields }))
    await polling.run(MINUTE)
    await polling.clock.advance(20 * HOUR)
    failing(polling, (id) => id !== 'INV-11')
    polling.platform.asked.length = 0
    await polling.run(6 * HOUR)
    expect(typesOf(await polling.events()).slice(1)).toEqual(['invoice.due'])
    expect(timesOf(polling, 'invoice/INV-1').length).toBeLessThan(20)
    expect(Math.max(...gapsOf(timesOf(polling, 'invoices?skip=0')))).toBeLessThanOrEqual(10 * MINUTE)
  })
})

describe('where no item of a resource answers (guarantee D9)', () => {
  test.each([1, 2])('the account is unreachable, and little is asked for: all of %d', async (count) => {
    await failTogether(count)
  })
})
