import { randomOf, type Random } from '../../../src/sandbox/random.ts'
import { drawChanges, ratesAt, type Process } from './draw-changes.ts'
import { PHASES, type Phase } from './phases.ts'
import { renderCourseTracking, renderRow } from './render-course.ts'
import type { Course, Scenario } from './scenario.ts'
import { drawSchedule } from './schedule.ts'
import { DAY } from './time.ts'

/** A Monday. */
const START_AT = Date.UTC(2026, 5, 1)
const WARM_UP = 7 * DAY
/** Before the start, when the account was first read. */
const BASELINE_AT = START_AT - 8 * DAY

const SHIPMENTS = 1_000
/** With the lengths of the phases, so that a quarter lives. */
const BIRTHS_A_DAY = 5.2
/** Of the logarithm: one shipment in six changes more than e times as often as the middle one. */
const SPREAD = 1

/** An account of 1,000 shipments of which a quarter lives, newest first, whose phases change up to twice as often or half as often as expected. */
export function accountScenario(seed: number, days: number): Scenario {
  const random = randomOf('freshness', seed)
  const endAt = START_AT + WARM_UP + days * DAY
  const surprise = drawSurprise(random)
  const born = drawBirths(random, endAt)
  const courses = born.map((bornAt, nth) =>
    courseOf(nth, { bornAt, endAt, surprise, random: randomOf('freshness', seed, nth) }),
  )
  let [count, list]: [number, readonly Course[]] = [0, []]
  const listAt = (at: number): readonly Course[] => {
    const known = countUntil(born, at)
    if (known !== count) [count, list] = [known, courses.slice(0, known).toReversed()]
    return list
  }
  return {
    courses,
    listAt,
    births: BIRTHS_A_DAY,
    baselineAt: BASELINE_AT,
    startAt: START_AT,
    countedFrom: START_AT + WARM_UP,
    endAt,
  }
}

/** A factor in [1/2, 2] for each phase. */
function drawSurprise(random: Random): Readonly<Record<Phase, number>> {
  const [draft = 1, booked = 1, near_departure = 1, at_sea = 1, near_arrival = 1, inland = 1, finished = 1] =
    PHASES.map(() => 2 ** random.between(-1, 1))
  return { draft, booked, near_departure, at_sea, near_arrival, inland, finished }
}

function drawBirths(random: Random, endAt: number): readonly number[] {
  const span = (SHIPMENTS / BIRTHS_A_DAY) * DAY
  const before = Array.from({ length: SHIPMENTS }, () => Math.floor(START_AT - random.next() * span))
  const births = before.toSorted((one, other) => one - other)
  for (let at = START_AT; ;) {
    at += (-Math.log(1 - random.next()) * DAY) / BIRTHS_A_DAY
    if (at >= endAt) return births
    births.push(Math.floor(at))
  }
}

function courseOf(
  nth: number,
  draw: {
    readonly bornAt: number
    readonly endAt: number
    readonly surprise: Readonly<Record<Phase, number>>
    readonly random: Random
  },
): Course {
  const { bornAt, endAt, surprise, random } = draw
  const id = `SHP-${String(nth).padStart(6, '0')}`
  const schedule = drawSchedule(random, bornAt)
  const process: Process = { schedule, factor: Math.exp(SPREAD * normal(random) - SPREAD ** 2 / 2), surprise }
  const changes = drawChanges(random, process, { from: bornAt, to: endAt })
  const plot = { id, nth, schedule, changes }
  return {
    id,
    bornAt,
    closedAt: schedule.finished,
    changes,
    render: { list: (count) => renderRow(plot, count), tracking: (count) => renderCourseTracking(plot, count) },
    rates: (at) => ratesAt(process, at),
  }
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** How many of the sorted instants are not after `at`. */
function countUntil(sorted: readonly number[], at: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((sorted[middle] ?? 0) <= at) from = middle + 1
    else to = middle
  }
  return from
}
