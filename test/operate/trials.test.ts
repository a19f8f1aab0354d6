import { expect, test } from 'vitest'
import { Trials } from '../../src/operate/trials.ts'
import type { LogQueryStore } from '../../src/store/ports/log-query-port.ts'
import { event, T } from '../route/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { subscription } from '../support/subscription.ts'

const PAGE_MS = 20
const SHORT = { since: 0, patienceMs: 10 }
const LONG = { since: 0, patienceMs: 1_000 }

/** A log without end, each page of which takes a while. */
class SlowLog implements Pick<LogQueryStore, 'eventPage'> {
  readonly #clock: FakeClock
  reads = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  async eventPage() {
    this.reads += 1
    this.#clock.jump(this.#clock.now() + PAGE_MS)
    const rung = event(`evt_${this.reads}`, 'shipment.created', { timestamp: T })
    return { items: [{ ...rung, sequence: this.reads, expiredAt: null }], next: String(this.reads) }
  }
}

function setUp() {
  const clock = new FakeClock()
  const log = new SlowLog(clock)
  const store = { eventPage: async () => await log.eventPage() }
  const trials = new Trials({ clock, store, named: (name) => subscription(name, { events: ['*'] }) })
  return { clock, log, trials }
}

test('a long trial leaves half of the time to others, and who asks for the same shares it', async () => {
  const { clock, log, trials } = setUp()
  const asked = Array.from({ length: 20 }, async () => await trials.matched('erp', LONG))
  await clock.advance(LONG.patienceMs)
  const found = await Promise.all(asked)
  expect(found[0]).toMatchObject({ isWhole: false, matched: log.reads, of: log.reads })
  expect(new Set(found).size).toBe(1)
  expect(log.reads).toBeLessThanOrEqual(LONG.patienceMs / PAGE_MS / 2 + 1)
})

test('long ones run one after another; a short one waits for none', async () => {
  const { clock, log, trials } = setUp()
  const long = ['a', 'b', 'c'].map(async (name) => await trials.matched(name, LONG))
  await clock.advance(0)
  const before = log.reads
  const short = trials.matched('d', SHORT)
  await clock.advance(PAGE_MS)
  expect(await short).toMatchObject({ of: 1 })
  expect(before).toBe(1)
  await clock.advance(LONG.patienceMs + 10 * PAGE_MS)
  const [first, ...others] = await Promise.all(long)
  expect(first?.of).toBeGreaterThan(10)
  expect(others.map(({ of }) => of)).toEqual([1, 1])
})

test('events are tried from the newest on', async () => {
  const clock = new FakeClock()
  const newestFirst = ['invoice.created', 'shipment.created', 'shipment.created'] as const
  const eventPage: LogQueryStore['eventPage'] = async ({ cursor = '0' }) => {
    clock.jump(clock.now() + PAGE_MS)
    const nth = Number(cursor)
    const rung = event(`evt_${nth}`, newestFirst[nth] ?? 'shipment.created', { timestamp: T - nth })
    return { items: [{ ...rung, sequence: 9 - nth, expiredAt: null }], next: nth < 2 ? String(nth + 1) : null }
  }
  const store = { eventPage }
  const trials = new Trials({ clock, store, named: (name) => subscription(name, { events: ['invoice.*'] }) })
  const tried = trials.matched('erp', SHORT)
  await clock.advance(PAGE_MS)
  expect(await tried).toEqual({ matched: 1, of: 1, isWhole: false })
})
