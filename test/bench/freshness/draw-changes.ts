import type { Random } from '../../../src/sandbox/random.ts'
import { BUSIEST, businessHours } from './business-hours.ts'
import { CHANGES_A_DAY, LIST_ONLY, PHASES, SHARED, type Phase } from './phases.ts'
import type { Change, Channel, Rates } from './scenario.ts'
import { arrivalOf, departureOf, phaseAt, type Schedule } from './schedule.ts'
import { DAY } from './time.ts'

export interface Process {
  readonly schedule: Schedule
  /** Of this shipment, beside others in its phase. */
  readonly factor: number
  /** Of all shipments, by phase: what nobody expects. */
  readonly surprise: Readonly<Record<Phase, number>>
}

/** A change that moves the shipment on to its next stage. */
export interface Turn extends Change {
  readonly turn: 'booked' | 'departed' | 'arrived' | 'finished'
}

const LIST = ['list'] as const
const TRACKING = ['tracking'] as const
const BOTH = ['list', 'tracking'] as const

export function ratesAt({ schedule, factor, surprise }: Process, at: number): Rates {
  const phase = phaseAt(schedule, at)
  const rate = CHANGES_A_DAY[phase] * factor * surprise[phase]
  const ofTracking = rate * (1 - LIST_ONLY[phase])
  return { listOnly: rate - ofTracking, trackingOnly: ofTracking * (1 - SHARED), both: ofTracking * SHARED }
}

/** What happens between two instants: the turns of the schedule and a Poisson process in between, by thinning. */
export function drawChanges(
  random: Random,
  process: Process,
  span: { readonly from: number; readonly to: number },
): readonly (Change | Turn)[] {
  const changes: (Change | Turn)[] = turnsOf(process.schedule).filter(({ at }) => at >= span.from && at < span.to)
  const most = Math.max(...PHASES.map((phase) => CHANGES_A_DAY[phase] * process.surprise[phase])) * process.factor
  const busiest = (most * BUSIEST) / DAY
  for (let at = span.from; ;) {
    at += -Math.log(1 - random.next()) / busiest
    if (at >= span.to) break
    const phase = phaseAt(process.schedule, at)
    const rate = (CHANGES_A_DAY[phase] * process.surprise[phase] * process.factor * businessHours(at)) / DAY
    if (random.chance(rate / busiest)) changes.push({ at: Math.floor(at), shows: channelsOf(random, phase) })
  }
  return changes.toSorted((one, other) => one.at - other.at)
}

function channelsOf(random: Random, phase: Phase): readonly Channel[] {
  if (random.chance(LIST_ONLY[phase])) return LIST
  return random.chance(SHARED) ? BOTH : TRACKING
}

function turnsOf(schedule: Schedule): readonly Turn[] {
  const turn = (name: Turn['turn'], at: number, shows: readonly Channel[]): Turn => ({
    turn: name,
    at: Math.floor(at),
    shows,
  })
  return [
    turn('booked', schedule.booked, LIST),
    turn('departed', departureOf(schedule), BOTH),
    turn('arrived', arrivalOf(schedule), BOTH),
    turn('finished', schedule.finished, BOTH),
  ]
}
