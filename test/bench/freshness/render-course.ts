import { formatInstant } from '../../../src/model/instant.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { Turn } from './draw-changes.ts'
import type { Change, Channel } from './scenario.ts'
import { arrivalOf, departureOf, type Schedule } from './schedule.ts'
import { HOUR } from './time.ts'

export interface Plot {
  readonly id: string
  readonly nth: number
  readonly schedule: Schedule
  readonly changes: readonly (Change | Turn)[]
}

/** The row of the list after so many of its changes: every change alters it, nothing else does. */
export function renderRow(plot: Plot, count: number): JsonObject {
  const seen = shownBy(plot, 'list', count)
  const turns = turnsOf(seen)
  const moved = seen.filter(({ shows }) => shows.includes('tracking')).length
  const date = (at: number, isActual: boolean): JsonObject =>
    isActual
      ? { date: formatInstant(Math.floor(at)), status: 'actual' }
      : { date: formatInstant(Math.floor(at) + shift(plot.nth, moved)), status: 'estimated' }
  const { schedule } = plot
  const done = turns.has('finished')
  return {
    name: `Spring collection ${plot.nth}`,
    platform_shipment_id: plot.id,
    status: statusAfter(turns),
    created_at: formatInstant(Math.floor(schedule.draft)),
    incoterm: 'fob',
    freight_mode: 'ocean',
    load_type: 'fcl',
    freight_type: 'port_to_port',
    route: ROUTE,
    cargo: { total_weight: { value: 1_000 + seen.length, unit: 'kg' } },
    main_tracking_dates: {
      pickup_date: null,
      departure_date: date(departureOf(schedule), turns.has('departed')),
      arrival_date: date(arrivalOf(schedule), turns.has('arrived')),
      delivery_date: date(schedule.finished, done),
    },
    booking_information: { carrier: 'Example Line', master_bill: `MEDU${plot.nth}` },
    invoice_status: 'awaiting_invoice',
    purchase_order_references: [`PO-${plot.nth}`],
  }
}

/** The tracking after so many of its changes: every other one adds an event, the next moves it. */
export function renderCourseTracking(plot: Plot, count: number): JsonObject {
  const seen = shownBy(plot, 'tracking', count)
  const events = Array.from({ length: Math.ceil(count / 2) }, (_, nth) => ({
    description: `${EVENTS[nth % EVENTS.length]} ${nth}`,
    container_number: `MSCU${1_000_000 + plot.nth}`,
    date: formatInstant((seen[Math.min(2 * nth + 1, count - 1)] ?? { at: 0 }).at),
    status: 'actual',
  }))
  return {
    platform_shipment_id: plot.id,
    status: turnsOf(seen).has('departed') ? 'in_transit' : 'awaiting_pickup',
    tracking_steps: [{ type: 'departure', location: null, port: PORT, events }],
    ocean_coordinates: [],
  }
}

const ROUTE = { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'FRLEH' }
const EVENTS = ['Gate in', 'Loaded', 'Vessel departed', 'Vessel arrived', 'Discharged', 'Gate out']
const PORT = { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' }

function shownBy({ changes }: Plot, channel: Channel, count: number): readonly (Change | Turn)[] {
  return changes.filter(({ shows }) => shows.includes(channel)).slice(0, count)
}

function turnsOf(changes: readonly (Change | Turn)[]): ReadonlySet<Turn['turn']> {
  return new Set(changes.flatMap((change) => ('turn' in change ? [change.turn] : [])))
}

function statusAfter(turns: ReadonlySet<Turn['turn']>): string {
  if (turns.has('finished')) return 'finished'
  if (turns.has('departed')) return 'in_progress'
  return turns.has('booked') ? 'booked' : 'draft'
}

/** An estimate is off by up to half a day, anew with each change. */
function shift(nth: number, moved: number): number {
  return Math.round(((((nth * 31 + moved * 17) % 25) - 12) / 12) * 12 * HOUR)
}
