import { CARRIERS } from '../catalogue/carriers.ts'
import type { Random } from '../random.ts'
import type { Entry, Timeline } from './timeline.ts'
import type { Brief } from './brief.ts'
import { HOUR } from './pace.ts'

/** `booking_information`, as it is known at a moment; null: not yet. */
export interface Booking {
  readonly carrier: string
  readonly masterBill: string | null
  readonly houseBill: string | null
  readonly ocean: { readonly number: string; readonly voyage: string; readonly vessel: string } | null
  readonly flightNumber: string | null
}

export interface BookingInput {
  readonly random: Random
  readonly brief: Brief
  readonly bookedAt: number
  readonly rolledAt: readonly number[]
  readonly pickedUpAt: number
  readonly departedAt: number
}

export interface Carriage {
  readonly booking: Timeline<Booking>
  /** Owner codes of the carrier's containers. */
  readonly owners: readonly string[]
}

/** A carrier is booked, the booking is rolled where the course says so, bills are issued at pickup and departure. */
export function bookCarriage(input: BookingInput): Carriage {
  const { random, brief, bookedAt } = input
  const { lane } = brief
  const carrier = random.pick(CARRIERS[lane.mode])
  const digits = (count: number): string => String(random.whole(10 ** (count - 1), 10 ** count - 1))
  const week = random.whole(10, 48)
  const vehicle = (nth: number, from: number): string =>
    carrier.vehicles[(from + nth) % carrier.vehicles.length] ?? carrier.name
  const firstVehicle = random.whole(0, 9)
  const flight = random.whole(200, 890)
  const number = digits(9)
  const journey = (nth: number): Pick<Booking, 'ocean' | 'flightNumber'> => ({
    ocean:
      lane.mode === 'ocean'
        ? {
            number: `${carrier.prefix}${number}`,
            voyage: `${week + nth}${lane.heading}`,
            vessel: vehicle(nth, firstVehicle),
          }
        : null,
    flightNumber: lane.mode === 'air' ? `${vehicle(0, 0)}${flight + 2 * nth}` : null,
  })
  const changes: Entry<Partial<Booking>>[] = [
    { at: bookedAt, value: { carrier: carrier.name, ...journey(0) } },
    ...input.rolledAt.map((at, index) => ({ at, value: journey(index + 1) })),
    {
      at: input.pickedUpAt + random.between(2, 20) * HOUR,
      value: { houseBill: `HB${brief.lane.origin.unlocode.slice(2)}${digits(7)}` },
    },
    {
      at: input.departedAt + random.between(1, 24) * HOUR,
      value: { masterBill: masterBill(brief, carrier.prefix, digits) },
    },
  ]
  return { booking: accumulate(changes), owners: carrier.owners }
}

function accumulate(changes: Entry<Partial<Booking>>[]): Timeline<Booking> {
  let booking: Booking = { carrier: '', masterBill: null, houseBill: null, ocean: null, flightNumber: null }
  return changes
    .sort((a, b) => a.at - b.at)
    .map(({ at, value }) => {
      booking = { ...booking, ...value }
      return { at, value: booking }
    })
}

/** Air waybills: airline prefix and a serial whose last digit is the first seven modulo 7 (IATA Resolution 600a). */
function masterBill(brief: Brief, prefix: string, digits: (count: number) => string): string {
  switch (brief.lane.mode) {
    case 'air': {
      const serial = digits(7)
      return `${prefix}-${serial}${Number(serial) % 7}`
    }
    case 'ocean':
      return `${prefix}${brief.lane.origin.unlocode.slice(2)}${digits(7)}`
    case 'rail':
    case 'truck':
      return `${prefix} ${digits(8)}`
    default:
      return brief.lane.mode satisfies never
  }
}
