import type { Delivery } from '../../../src/sandbox/data/delivery.ts'
import { readDeliveries } from '../../../src/sandbox/sandbox.ts'
import { renderDelivery } from '../../../src/sandbox/data/render-deliveries.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { inOfficeHours } from './business-hours.ts'
import { deliveryHazard } from './delivery-hazard.ts'
import { NO_RATES, type Course, type Scenario } from './scenario.ts'
import { DAY } from './time.ts'

/** A Monday; in the fortnight after it, more deliveries are recorded than in any other of the data. */
const START_AT = Date.UTC(2010, 5, 21)
const WARM_UP = 2 * DAY
const SHIPMENTS = 1_000
const LIVE = 250

/**
 * Real deliveries around the busiest weeks of the data: the 250 that are recorded next and the 750 that were last, in the
 * order of the data. Of a delivery the data knows the day on which it is recorded; the hour is drawn from the office hours.
 */
export function deliveriesScenario(file: string, days: number): Scenario {
  const all = readDeliveries(file).filter(({ delivered }) => delivered !== null)
  const endAt = START_AT + WARM_UP + days * DAY
  const hazard = deliveryHazard(all)
  const chosen = choose(all)
  const courses = all.filter((delivery) => chosen.has(delivery)).map((delivery) => courseOf(delivery, hazard))
  return {
    courses,
    listAt: () => courses,
    births: 0,
    baselineAt: START_AT - 8 * DAY,
    startAt: START_AT,
    countedFrom: START_AT + WARM_UP,
    endAt,
  }
}

function choose(deliveries: readonly Delivery[]): ReadonlySet<Delivery> {
  const sorted = deliveries.toSorted((one, other) => recordedAt(one) - recordedAt(other))
  const next = sorted.findIndex((delivery) => recordedAt(delivery) >= START_AT)
  return new Set(sorted.slice(Math.max(0, next - (SHIPMENTS - LIVE)), next + LIVE))
}

function courseOf(delivery: Delivery, hazard: (daysSince: number) => number): Course {
  const at = recordedAt(delivery)
  const scheduledDay = delivery.scheduledDay ?? 0
  return {
    id: delivery.id,
    bornAt: 0,
    closedAt: at,
    changes: [{ at, shows: ['list', 'tracking'] }],
    render: {
      list: (count) => renderDelivery(delivery, count === 0 ? 0 : Number.MAX_SAFE_INTEGER),
      tracking: (count) => ({
        platform_shipment_id: delivery.id,
        status: count === 0 ? 'in_transit' : 'delivered',
        tracking_steps: [],
        ocean_coordinates: [],
      }),
    },
    rates: (now) => (now >= at ? NO_RATES : { ...NO_RATES, both: hazard(Math.floor(now / DAY) - scheduledDay) }),
  }
}

function recordedAt({ id, delivered }: Delivery): number {
  if (delivered === null) return Number.POSITIVE_INFINITY
  return Math.floor(inOfficeHours(delivered.recordedDay * DAY, randomOf('recorded', id).next()))
}
