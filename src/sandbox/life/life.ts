import { randomOf, type Random } from '../random.ts'
import { bill, type InvoiceLife } from './bill.ts'
import { bookCarriage, type Booking } from './book-carriage.ts'
import { writeBrief, type Brief } from './brief.ts'
import { chartCourse, type Course } from './chart-course.ts'
import { followSteps, type Step } from './follow-steps.ts'
import { DAY, HOUR, PACES, toGrain, type Pace } from './pace.ts'
import { packCargo, type Cargo } from './pack-cargo.ts'
import { sail, type Position } from './sail.ts'
import { valueAt, type Timeline } from './timeline.ts'

type ShipmentStatus = 'draft' | 'booking_request' | 'awaiting_booking' | 'booked' | 'in_progress' | 'finished'

/** Everything that ever happens to one shipment, as the platform shows it. A pure function of seed, index and birth. */
export interface Life {
  readonly brief: Brief
  /** Before anything moved; nothing else changes from here on. Infinity: never cancelled. */
  readonly cancelledAt: number
  readonly status: Timeline<ShipmentStatus>
  readonly course: Course
  readonly booking: Timeline<Booking>
  readonly cargo: Cargo
  readonly trackedFrom: number
  readonly steps: readonly Step[]
  readonly positions: Timeline<Position>
  readonly invoices: readonly InvoiceLife[]
  readonly requestedAt: number
  readonly acceptedAt: number
  /** What the client asked for later. */
  readonly instructions: Timeline<string>
  /** Days since the Unix epoch, UTC. */
  readonly desiredDeliveryDay: number
}

/** The moments of the desk work, before anything moves. */
interface Desk {
  readonly requestedAt: number
  readonly awaitingAt: number
  readonly bookedAt: number
}

export function liveOf(birth: { readonly seed: string; readonly index: number; readonly bornAt: number }): Life {
  const { seed, index, bornAt } = birth
  const brief = writeBrief(birth)
  const pace = PACES[brief.lane.mode]
  const stream = (name: string): Random => randomOf(seed, name, index)
  const desk = deskWork(stream('desk'), pace, bornAt)
  const course = travel({ random: stream('course'), brief, pace, desk })
  const { pickup, departure, delivery } = course.facts
  const moments = { bookedAt: desk.bookedAt, pickedUpAt: pickup.reportedAt, departedAt: departure.reportedAt }
  const { booking, owners } = bookCarriage({ random: stream('booking'), brief, rolledAt: course.rolledAt, ...moments })
  const cargo = packCargo({ random: stream('cargo'), brief, owners, ...moments })
  const boxes = cargo.containers.at(-1)?.value ?? []
  const end = stream('end')
  const started = startedAt(brief, course)
  const finishedAt = delivery.reportedAt + end.between(4, 48) * HOUR
  const quantities = {
    containers: Math.max(1, boxes.length),
    cbm: cargo.volumeCbm,
    kg: Math.ceil(valueAt(cargo.weightKg, Infinity) ?? 0),
  }
  return {
    brief,
    cancelledAt: end.chance(0.06) ? bornAt + (started - bornAt) * end.between(0.1, 0.95) : Infinity,
    status: [
      { at: bornAt, value: 'draft' },
      { at: desk.requestedAt, value: 'booking_request' },
      { at: desk.awaitingAt, value: 'awaiting_booking' },
      { at: desk.bookedAt, value: 'booked' },
      { at: started, value: 'in_progress' },
      { at: finishedAt, value: 'finished' },
    ],
    course,
    booking,
    cargo,
    trackedFrom: desk.awaitingAt,
    steps: followSteps({
      random: stream('steps'),
      brief,
      course,
      trackedFrom: desk.awaitingAt,
      containers: brief.loadType === 'fcl' ? boxes.map(({ number }) => number) : [],
    }),
    positions: sail(brief.lane, course),
    invoices: bill({ random: stream('invoices'), seed, brief, course, quantities }),
    requestedAt: desk.requestedAt,
    acceptedAt: desk.awaitingAt,
    instructions: instruct(stream('instructions'), desk),
    desiredDeliveryDay:
      Math.floor((course.milestones.delivery[0]?.value.instant ?? bornAt) / DAY) + stream('desired').whole(0, 6),
  }
}

function deskWork(random: Random, pace: Pace, bornAt: number): Desk {
  const requestedAt = bornAt + random.between(...pace.draft) * HOUR
  const awaitingAt = requestedAt + random.between(...pace.request) * HOUR
  return { requestedAt, awaitingAt, bookedAt: awaitingAt + random.between(...pace.awaiting) * HOUR }
}

function travel(of: {
  readonly random: Random
  readonly brief: Brief
  readonly pace: Pace
  readonly desk: Desk
}): Course {
  const { random, brief, pace, desk } = of
  const pickup = workingHour(random, desk.bookedAt + random.between(...pace.ready) * HOUR)
  const departure = toGrain(pickup + random.between(...pace.precarriage) * HOUR, pace.grain)
  const arrival = toGrain(departure + brief.lane.transitDays * random.between(0.95, 1.1) * DAY, pace.grain)
  const delivery = workingHour(random, arrival + random.between(...pace.oncarriage) * HOUR)
  const { mode } = brief.lane
  return chartCourse({
    random,
    pace,
    plannedAt: desk.requestedAt,
    bookedAt: desk.bookedAt,
    planned: { pickup, departure, arrival, delivery },
    rollMs: mode === 'ocean' ? 7 * DAY : mode === 'air' ? DAY : null,
    first: brief.freightType.startsWith('door') ? 'pickup' : 'departure',
  })
}

/** Doors open by day: the next full hour between 7 and 15 o'clock, UTC. */
function workingHour(random: Random, earliest: number): number {
  const sameDay = Math.floor(earliest / DAY) * DAY + random.whole(7, 15) * HOUR
  return sameDay < earliest ? sameDay + DAY : sameDay
}

/** A shipment is under way from the first milestone of its own that is shown as done. */
function startedAt(brief: Brief, course: Course): number {
  const first = course.milestones[brief.freightType.startsWith('door') ? 'pickup' : 'departure']
  return first.find(({ value }) => value.status === 'actual')?.at ?? Infinity
}

const INSTRUCTIONS = [
  'Please call the warehouse one hour before delivery.',
  'Do not stack. Palletise on 80x120 Euro pallets.',
  'Send the original bill of lading by courier to the delivery site.',
  'Photo of the seal required at pickup.',
  'Delivery in the morning only, dock 4.',
] as const

function instruct(random: Random, desk: Desk): Timeline<string> {
  const given = random.chance(0.35) ? [{ at: desk.requestedAt, value: random.pick(INSTRUCTIONS) }] : []
  const later = random.chance(0.25)
    ? [{ at: desk.bookedAt + random.between(2, 90) * HOUR, value: random.pick(INSTRUCTIONS) }]
    : []
  return [...given, ...later]
}

/** `status` of a life's shipment at a moment; null before it is drafted. */
export function shipmentStatus(life: Life, time: number): string | null {
  return time >= life.cancelledAt ? 'cancelled' : (valueAt(life.status, time) ?? null)
}

/** Goods are ready the day before the pickup that is hoped for (days since the Unix epoch). */
export function readyDay(life: Life, time: number): number {
  const { pickup } = life.course.milestones
  const hoped = pickup.findLast(({ at, value }) => at <= time && value.status !== 'actual') ?? pickup[0]
  return Math.floor((hoped?.value.instant ?? life.brief.bornAt) / DAY) - 1
}
