import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forecast, type Forecast, type ForecastUnit } from '../../src/plan/forecast.ts'
import { covers } from '../../src/plan/refresh-targets.ts'
import { ActivityProfile } from '../../src/plan/activity-profile.ts'
import { smallestBudget } from '../../src/plan/smallest-budget.ts'
import { UnitQueue } from '../../src/plan/unit-queue.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

function unit(perDay: number, changes: Partial<ForecastUnit> = {}): ForecastUnit {
  return { resource: 'invoice', rate: perDay / DAY, weight: 1, everyMs: HOUR, ...changes }
}

/** Requests in a millisecond. */
function each(minutes: number): number {
  return 1 / (minutes * MINUTE)
}

function of(resource: ForecastUnit['resource'], { resources }: Forecast) {
  return resources.find((one) => one.resource === resource)
}

const drawn = fc.array(
  fc
    .record({
      resource: fc.constantFrom('shipment' as const, 'tracking' as const, 'invoice' as const),
      perDay: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 300, noNaN: true })),
      weight: fc.constantFrom(0.5, 1, 4),
      everyMs: fc.constantFrom(2 * MINUTE, 15 * MINUTE, HOUR, 12 * HOUR),
    })
    .map(({ perDay, ...others }) => unit(perDay, others)),
  { minLength: 1, maxLength: 40 },
)
const flows = fc.double({ min: 1 / HOUR, max: 100 / MINUTE, noNaN: true })

describe('what is read how often', () => {
  it('takes no more requests than are allowed, and all of them where so many are worth it', () => {
    fc.assert(
      fc.property(drawn, flows, (units, allowed) => {
        const { requests } = forecast(units, allowed)
        expect(requests).toBeLessThanOrEqual(allowed * (1 + 1e-6))
        const plenty = forecast(units, 1e6)
        if (plenty.requests > allowed && plenty.needed <= allowed) expect(requests).toBeGreaterThan(allowed * 0.999)
      }),
    )
  })

  it('is read no less often, and seen no later, with more of them', () => {
    fc.assert(
      fc.property(drawn, flows, fc.double({ min: 1, max: 20, noNaN: true }), (units, allowed, times) => {
        const [less, more] = [forecast(units, allowed), forecast(units, allowed * times)]
        expect(more.stretch).toBeLessThanOrEqual(less.stretch)
        // Where promises begin to be kept, what was left for the likeliest goes to them.
        if ((more.stretch === 1) !== (less.stretch === 1)) return
        for (const one of less.resources) {
          const other = of(one.resource, more)
          expect(other?.delay?.meanMs ?? 0).toBeLessThanOrEqual((one.delay?.meanMs ?? 0) * (1 + 1e-6))
        }
      }),
    )
  })

  it('is what the choice of the queue comes to, beside the promises', () => {
    const units = [
      ...Array.from({ length: 10 }, (_, nth) => unit(1 + nth / 7, { resource: 'invoice' })),
      ...Array.from({ length: 10 }, (_, nth) => unit(25 + 3 * nth, { resource: 'document' })),
      ...Array.from({ length: 10 }, (_, nth) => unit(25 + 3 * nth, { resource: 'location', weight: 4 })),
      ...Array.from({ length: 10 }, () => unit(0.01, { resource: 'purchase_order', everyMs: 20 * MINUTE })),
    ]
    const allowed = each(0.5)
    const foreseen = forecast(units, allowed)
    const reads = simulated(units, { allowed, forMs: 3 * DAY })
    for (const { resource, reads: expected } of foreseen.resources) {
      const ratio = (reads.get(resource) ?? 0) / (3 * DAY) / expected
      expect(ratio).toBeGreaterThan(0.93)
      expect(ratio).toBeLessThan(1.07)
    }
  })

  it('is never more often than is worth a request, whatever is allowed', () => {
    const { resources } = forecast([unit(0.01), unit(1e6, { resource: 'document' })], 1)
    expect((resources[0]?.reads ?? 0) * DAY).toBeCloseTo(24)
    expect((resources[1]?.reads ?? 0) * MINUTE).toBeCloseTo(12)
  })

  it('is nothing more than promised where nothing is known to change', () => {
    const [invoices] = forecast([unit(0), unit(0)], each(0.1)).resources
    expect(invoices).toMatchObject({ units: 2, delay: null })
    expect((invoices?.reads ?? 0) * HOUR).toBeCloseTo(2)
  })

  it('leaves nothing more than the longest that is bearable where the promises do not fit, and says by how much', () => {
    const units = Array.from({ length: 120 }, () => unit(1, { everyMs: HOUR }))
    const { needed, requests, stretch } = forecast(units, each(1))
    expect(needed * HOUR).toBeCloseTo(120)
    expect(requests * HOUR).toBeCloseTo(60)
    expect(stretch).toBeCloseTo(2 / 0.75)
  })
})

describe('how long a change goes unseen', () => {
  it('is evenly spread over the time between two reads', () => {
    const [invoices] = forecast([unit(1)], each(2)).resources
    expect(invoices?.delay?.meanMs).toBeCloseTo(MINUTE, -1)
    expect(invoices?.delay?.p95Ms).toBeCloseTo(0.95 * 2 * MINUTE, -1)
  })

  it('is that of the rows of shipments for what they say of their tracking, which is read at once', () => {
    const shipments = unit(24, { resource: 'shipment', everyMs: 2 * MINUTE })
    const tracking = unit(1e-6, { resource: 'tracking', everyMs: 12 * HOUR })
    const foreseen = forecast([shipments, tracking], each(1))
    expect((of('tracking', foreseen)?.announcedReads ?? 0) * HOUR).toBeCloseTo(1)
    expect(of('tracking', foreseen)?.delay?.meanMs).toBeCloseTo(of('shipment', foreseen)?.delay?.meanMs ?? 0, -2)
  })
})

describe('the smallest budget that keeps the promises', () => {
  it('is the first whole number whose flow is enough', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 10, noNaN: true }), fc.integer({ min: 1, max: DAY }), (needed, perMs) => {
        const smallest = smallestBudget(needed, (requests) => requests / perMs) ?? 0
        expect(covers(smallest / perMs, needed)).toBe(true)
        if (smallest > 1) expect(covers((smallest - 1) / perMs, needed)).toBe(false)
      }),
    )
  })

  it('is none where no budget is enough', () => {
    expect(smallestBudget(1, () => 0.5)).toBeNull()
  })
})

/** Reads by resource, of the real queue with one request every so often: what is overdue first, then what is best. */
function simulated(units: readonly ForecastUnit[], { allowed, forMs }: { allowed: number; forMs: number }) {
  const queue = new UnitQueue()
  const profile = new ActivityProfile()
  const all = units.map((one, nth) => ({ ...one, key: String(nth), readAt: 0 }))
  for (const one of all) queue.put(one)
  const reads = new Map<string, number>()
  for (let now = 1 / allowed; now < forMs; now += 1 / allowed) {
    const overdue = all.find((one) => now - one.readAt >= one.everyMs)
    const best = overdue?.key ?? queue.best(now, profile)?.key
    const read = all.find(({ key }) => key === best)
    if (read === undefined) continue
    read.readAt = now
    queue.put(read)
    reads.set(read.resource, (reads.get(read.resource) ?? 0) + 1)
  }
  return reads
}
