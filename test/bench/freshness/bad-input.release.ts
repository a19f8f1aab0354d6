import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../../src/model/account.ts'
import { Limiter } from '../../../src/poll/requests/limiter.ts'
import type { Tenant } from '../../../src/poll/requests/tenant.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import { LATENCY, SLOT } from './budget.ts'
import { EventClock } from './event-clock.ts'
import { ACCOUNT, pollerOf, type Wiring } from './run-poller.ts'
import { NO_RATES, type Course, type Scenario } from './scenario.ts'
import { Sightings } from './sightings.ts'
import { ScenarioPlatform, type Asked } from './scenario-platform.ts'
import { HOUR, MINUTE } from './time.ts'
import { worldShipment } from '../world-shipment.ts'

/** A poller may look at its calendar and its settling records every half minute each, and wake thrice for a request. */
const LOOKS_AN_HOUR = 2 * 120
const WAKES_A_REQUEST = 3
/** Who waits for the turn of a refresh target that the budget stretches looks each five minutes whether it fits again. */
const STRETCHED_LOOKS_AN_HOUR = 12

describe('a daemon that cannot keep its promises', () => {
  test('spends one request an hour, and neither more nor less', async () => {
    await using life = new Life(account({ requests: 1, perMs: HOUR }), shipments(30))
    await life.run(5 * 24 * HOUR)
    expect(life.most(HOUR)).toBe(1)
    expect(life.requests).toBeGreaterThan(118)
    // A list that is always due leaves items their turns.
    expect(life.listed()).toBe(30)
    expect(life.tracked()).toBe(30)
    life.expectCalm(LOOKS_AN_HOUR + STRETCHED_LOOKS_AN_HOUR)
  })

  test('has nothing to read', async () => {
    await using life = new Life(account({ requests: 6, perMs: MINUTE }), [])
    await life.run(24 * HOUR)
    expect(life.most(MINUTE)).toBeLessThanOrEqual(6)
    expect(life.requests).toBeGreaterThanOrEqual(24 * 2)
    life.expectCalm()
  })

  test('reads 100,000 shipments with 6 requests a minute, all of which it uses', async () => {
    await using life = new Life(account({ requests: 6, perMs: MINUTE }), shipments(100_000))
    await life.run(HOUR)
    expect(life.most(MINUTE)).toBe(6)
    expect(life.requests).toBeGreaterThan(0.95 * 60 * 6)
    expect(life.listed()).toBeGreaterThan(1_000)
    life.expectCalm()
  }, 300_000)
})

describe('a daemon whose budget the promises leave nothing of', () => {
  test.each([
    ['half an hour', 30 * MINUTE, 178 * MINUTE],
    ['four minutes', 4 * MINUTE, 310 * MINUTE],
  ])(
    'keeps them, with a list of eleven requests every %s',
    async (_name, listMs, trackingMs) => {
      const watch = {
        shipments: { everyMs: listMs, ignore: [], milestoneGraceMs: 24 * HOUR },
        tracking: { everyMs: trackingMs, ignore: [], positions: false },
      }
      await using life = new Life({ ...account({ requests: 6, perMs: MINUTE }), watch }, shipments(1_000))
      await life.run(20 * HOUR)
      expect(life.late({ from: 8 * HOUR, listMs, trackingMs })).toEqual([])
      life.expectCalm()
    },
    120_000,
  )
})

describe('two accounts of one key', () => {
  test('keep their promises where its budget covers them, though one needs more than half of it', async () => {
    const clock = new EventClock(START_AT)
    let limiter: Limiter | null = null
    const limiterOf = (tenant: Tenant): Limiter => {
      if (limiter === null) return (limiter = new Limiter({ clock, random: () => 0.5 }, tenant))
      limiter.join(tenant)
      return limiter
    }
    const promises = { listMs: 30 * MINUTE, trackingMs: 260 * MINUTE }
    const settings = (name: string) => ({ ...account({ requests: 6, perMs: MINUTE }), name, watch: watching(promises) })
    await using large = new Life(settings('large'), shipments(950), { clock, limiterOf })
    await using small = new Life(settings('small'), shipments(95), { clock, limiterOf })
    await clock.advance(16 * HOUR)
    for (const life of [large, small]) expect(life.late({ ...promises, from: 6 * HOUR })).toEqual([])
    expect(small.requests).toBeGreaterThan(16 * HOUR * (2 / 30 / MINUTE + 95 / promises.trackingMs))
  }, 120_000)
})

describe('a wall clock that leaps', () => {
  test.each([
    ['forwards', [5 * HOUR, 7 * HOUR, 26 * HOUR]],
    ['back', [-5 * HOUR, -7 * HOUR, -26 * HOUR]],
    ['forwards and back', [5 * HOUR, -5 * HOUR, 9 * HOUR, -13 * HOUR, 3 * HOUR]],
  ])('%s costs one window at most, and reading goes on', async (_name, leaps) => {
    await using life = new Life(account({ requests: 6, perMs: MINUTE }), shipments(150))
    await life.run(4 * HOUR)
    for (const leap of leaps) {
      life.clock.jump(leap)
      const before = life.requests
      await life.run(4 * HOUR)
      expect(life.requests - before).toBeGreaterThan(2 * 150)
    }
    expect(life.most(MINUTE)).toBeLessThanOrEqual(2 * 6)
    life.expectCalm()
  })
})

/** One poller with its store and platform, from nothing on. */
class Life implements AsyncDisposable {
  readonly clock: EventClock
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bad-input-'))
  readonly #store = openStore({ path: path.join(this.#folder, 'shipbell.db') })
  readonly #sightings: Sightings
  readonly #courses: readonly Course[]
  readonly #asked: Asked[] = []
  readonly #failures: string[] = []
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>

  constructor(
    settings: AccountSettings,
    courses: readonly Course[],
    { clock, ...shared }: Partial<Pick<Wiring, 'clock' | 'limiterOf'>> = {},
  ) {
    this.clock = clock ?? new EventClock(START_AT)
    const scenario = scenarioOf(courses)
    this.#courses = courses
    this.#sightings = new Sightings(scenario)
    const note = ({ unit }: Asked): void => void this.#asked.push({ unit, sentAt: this.clock.elapsed })
    const platform = new ScenarioPlatform({ clock: this.clock, scenario, sightings: this.#sightings, note })
    const render = (line: string): void => {
      if (line.includes('poll.failed')) this.#failures.push(line)
    }
    const wiring = { ...shared, account: settings, clock: this.clock, platform, store: this.#store, render }
    this.#running = pollerOf(wiring).run(this.#stopping.signal)
  }

  get requests(): number {
    return this.#asked.length
  }

  async run(ms: number): Promise<void> {
    await this.clock.advance(ms)
  }

  /** The most requests in any span of so long, as time really passed. */
  most(ms: number): number {
    return this.#asked.reduce((most, { sentAt }, nth) => {
      const first = this.#asked.findIndex((each) => each.sentAt > sentAt - ms)
      return Math.max(most, nth - first + 1)
    }, 0)
  }

  /** How long units went unread beyond what is promised, where that is more than it takes until there is room for a request. */
  late({ from, listMs, trackingMs }: { from: number; listMs: number; trackingMs: number }): readonly number[] {
    const readAt = new Map<Asked['unit'], number>()
    return this.#asked.flatMap(({ sentAt, unit }) => {
      // A request beyond the end reads nothing, and is not due in each pass.
      if (typeof unit === 'number' && unit >= this.#courses.length) return []
      const since = readAt.get(unit) ?? sentAt
      readAt.set(unit, sentAt)
      const over = sentAt - since - (typeof unit === 'number' ? listMs : trackingMs)
      return since < from || over <= SLOT + LATENCY ? [] : [over]
    })
  }

  /** How many shipments the list has shown. */
  listed(): number {
    return this.#courses.filter((course) => this.#sightings.wasRead(course, 'list')).length
  }

  tracked(): number {
    return this.#courses.filter((course) => this.#sightings.wasRead(course, 'tracking')).length
  }

  expectCalm(looksAnHour = LOOKS_AN_HOUR): void {
    const looks = (this.clock.elapsed / HOUR) * looksAnHour
    expect(this.clock.wakes).toBeLessThan(looks + WAKES_A_REQUEST * this.requests + 100)
    expect(this.#failures).toEqual([])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.clock.advance(MINUTE)
    await this.#running
    await this.#store[Symbol.asyncDispose]()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const START_AT = Date.UTC(2026, 5, 1)

function account(budget: { readonly requests: number; readonly perMs: number }): AccountSettings {
  return { ...ACCOUNT, budget: { ...budget, concurrency: 2, share: 1 } }
}

function watching({ listMs, trackingMs }: { listMs: number; trackingMs: number }): AccountSettings['watch'] {
  return {
    shipments: { everyMs: listMs, ignore: [], milestoneGraceMs: 24 * HOUR },
    tracking: { everyMs: trackingMs, ignore: [], positions: false },
  }
}

/** Live ones that never change. */
function shipments(amount: number): readonly Course[] {
  return Array.from({ length: amount }, (_, nth) => {
    const id = `SHP-${String(nth).padStart(6, '0')}`
    return {
      id,
      bornAt: 0,
      closedAt: Number.POSITIVE_INFINITY,
      changes: [],
      render: {
        list: () => worldShipment(nth),
        tracking: () => ({ platform_shipment_id: id, status: 'in_transit', tracking_steps: [], ocean_coordinates: [] }),
      },
      rates: () => NO_RATES,
    }
  })
}

function scenarioOf(courses: readonly Course[]): Scenario {
  const endAt = Number.MAX_SAFE_INTEGER
  return {
    courses,
    listAt: () => courses,
    births: 0,
    baselineAt: START_AT,
    startAt: START_AT,
    countedFrom: START_AT,
    endAt,
  }
}
