import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import type { Random } from '../random.ts'
import type { Timeline } from './timeline.ts'
import { CourseLog, type MilestoneDate } from './course-log.ts'
import { HOUR, toGrain, type Pace } from './pace.ts'

/** How a shipment travels, as the platform comes to know it. */
export interface Course {
  /** What `main_tracking_dates` shows, moment by moment. */
  readonly milestones: Readonly<Record<Milestone, Timeline<MilestoneDate>>>
  /** When each milestone happened (milliseconds since the Unix epoch), and when the platform showed that for good. */
  readonly facts: Readonly<Record<Milestone, Fact>>
  /** When the booking was moved to a later vessel, voyage or flight. */
  readonly rolledAt: readonly number[]
}

interface Fact {
  readonly instant: number
  readonly reportedAt: number
}

export interface CourseInput {
  readonly random: Random
  readonly pace: Pace
  readonly plannedAt: number
  readonly bookedAt: number
  readonly planned: Readonly<Record<Milestone, number>>
  /** How far a roll moves the departure; null where there is nothing to roll. */
  readonly rollMs: number | null
  /** The milestone whose actual starts the journey: it is never reported by mistake. */
  readonly first: Milestone
}

/** Which milestones an estimate of this phase moves: before the pickup it is mostly the departure that slips. */
const SLIPPING: Readonly<Record<Milestone, readonly Milestone[]>> = {
  pickup: ['pickup', 'departure', 'departure'],
  departure: ['departure'],
  arrival: ['arrival'],
  delivery: ['delivery'],
}

const REVISIONS: Readonly<Record<Milestone, readonly number[]>> = {
  pickup: [0, 1, 2, 2],
  departure: [0, 1, 1, 2],
  arrival: [1, 2, 3, 3, 4],
  delivery: [0, 1, 1, 2],
}

/** Plans, books, lets estimates slip, reports what happened, and sometimes corrects it: phase by phase, milestone by milestone. */
export function chartCourse(input: CourseInput): Course {
  const log = new CourseLog(input.pace, input.plannedAt, input.planned)
  const rolledAt: number[] = []
  log.confirm(input.bookedAt)
  const fact = (milestone: Milestone, since: number): Fact => {
    const phase: Phase = { input, log, milestone, since, rolledAt }
    return report(phase, reportByMistake(phase, revise(phase)))
  }
  const pickup = fact('pickup', input.bookedAt)
  const departure = fact('departure', pickup.reportedAt)
  const arrival = fact('arrival', departure.reportedAt)
  const delivery = fact('delivery', arrival.reportedAt)
  return { milestones: log.timelines(), facts: { pickup, departure, arrival, delivery }, rolledAt }
}

interface Phase {
  readonly input: CourseInput
  readonly log: CourseLog
  /** The milestone that the phase leads to. */
  readonly milestone: Milestone
  readonly since: number
  readonly rolledAt: number[]
}

/** Estimates move while the milestone is awaited; answers when the last one did. */
function revise(phase: Phase): number {
  const { input, log, milestone, since } = phase
  const { random, pace } = input
  const end = log.dateOf(milestone).instant
  const moments = Array.from(
    { length: random.pick(REVISIONS[milestone]) },
    () => since + (end - since) * random.between(0.08, 0.85),
  )
  const problemAt = random.chance(0.06) ? random.whole(0, moments.length - 1) : -1
  let last = since
  for (const [index, moment] of moments.sort((a, b) => a - b).entries()) {
    const at = Math.max(moment, last + 60_000)
    if (at > log.dateOf(milestone).instant - pace.gap * HOUR) break
    last = index === problemAt ? haveProblem(phase, at) : slip(phase, at)
  }
  return last
}

function slip(phase: Phase, at: number): number {
  const { input, log, milestone, rolledAt } = phase
  const { random, pace, rollMs } = input
  const moved = random.pick(SLIPPING[milestone])
  const before = log.dateOf(moved)
  const rolls = moved === 'departure' && rollMs !== null && random.chance(0.16)
  const later = random.chance(0.72) ? 1 : -0.35
  const shift = rolls ? rollMs : later * random.between(...pace.slip) * HOUR
  if (rolls) rolledAt.push(at)
  log.move(at, moved, {
    instant: earliest(phase, moved, Math.max(before.instant + shift, at + pace.gap * HOUR)),
    status: 'estimated',
  })
  return at
}

/** An estimate to the grain, never too close after the milestone before it. */
function earliest(phase: Phase, milestone: Milestone, wanted: number): number {
  const { log, input } = phase
  const previous = MILESTONES[MILESTONES.indexOf(milestone) - 1]
  const floor = previous === undefined ? wanted : log.dateOf(previous).instant + 2 * input.pace.gap * HOUR
  return toGrain(Math.max(wanted, floor), input.pace.grain)
}

/** Customs, strikes, a broken truck: the date becomes a problem, and later an estimate again. */
function haveProblem(phase: Phase, at: number): number {
  const { input, log, milestone } = phase
  const { random, pace } = input
  const before = log.dateOf(milestone)
  log.settle(at, milestone, { ...before, status: 'problem' })
  const clearedAt = at + random.between(0.5, 1.5) * pace.gap * HOUR
  const shift = random.between(...pace.slip) * HOUR
  const instant = earliest(phase, milestone, Math.max(before.instant + shift, clearedAt + pace.gap * HOUR))
  log.move(clearedAt, milestone, { instant, status: 'estimated' })
  return clearedAt
}

/** Now and then a carrier reports what has not happened, and takes it back. */
function reportByMistake(phase: Phase, last: number): number {
  const { input, log, milestone } = phase
  const { random, pace, first } = input
  if (milestone === first || milestone === 'pickup' || milestone === 'delivery' || !random.chance(0.05)) return last
  const { instant } = log.dateOf(milestone)
  const at = Math.max(instant, last) + random.between(...pace.lag) * HOUR
  log.settle(at, milestone, { instant, status: 'actual' })
  const withdrawnAt = at + random.between(0.3, 1) * pace.gap * HOUR
  const again = toGrain(withdrawnAt + random.between(1, 2) * pace.gap * HOUR, pace.grain)
  log.move(withdrawnAt, milestone, { instant: again, status: 'estimated' })
  return withdrawnAt
}

/** What really happened: near the last estimate, shown with a lag, in one case of eight first shown wrongly. */
function report(phase: Phase, last: number): Fact {
  const { input, log, milestone } = phase
  const { random, pace } = input
  const estimate = log.dateOf(milestone).instant
  const noise = random.between(-0.3, 0.8) * pace.gap * HOUR
  const instant = toGrain(Math.max(estimate + noise, last + 600_000), 1)
  const shownAt = instant + random.between(...pace.lag) * HOUR
  if (!random.chance(0.12)) {
    log.settle(shownAt, milestone, { instant, status: 'actual' })
    return { instant, reportedAt: shownAt }
  }
  const wrong = toGrain(instant - random.between(0.1, 0.35) * pace.gap * HOUR, 1)
  log.settle(shownAt, milestone, { instant: wrong, status: 'actual' })
  const correctedAt = shownAt + random.between(0.1, 0.5) * pace.gap * HOUR
  log.settle(correctedAt, milestone, { instant, status: 'actual' })
  return { instant, reportedAt: correctedAt }
}
