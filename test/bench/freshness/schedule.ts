import type { Random } from '../../../src/sandbox/random.ts'
import { PHASES, type Phase } from './phases.ts'
import { DAY } from './time.ts'

/** When a shipment enters each phase of its life. */
export type Schedule = Readonly<Record<Phase, number>>

/** Days from and to, by what it travels with. */
const OCEAN = [
  [1, 6],
  [5, 18],
  [4, 4],
  [14, 38],
  [4, 4],
  [2, 8],
] as const
const AIR = [
  [1, 6],
  [5, 18],
  [2, 2],
  [0.5, 2],
  [2, 2],
  [2, 8],
] as const

const AIR_SHARE = 0.2

export function drawSchedule(random: Random, bornAt: number): Schedule {
  const lengths = random.chance(AIR_SHARE) ? AIR : OCEAN
  const starts = [bornAt]
  for (const [from, to] of lengths) starts.push((starts.at(-1) ?? bornAt) + random.between(from, to) * DAY)
  const [draft = 0, booked = 0, near_departure = 0, at_sea = 0, near_arrival = 0, inland = 0, finished = 0] = starts
  return { draft, booked, near_departure, at_sea, near_arrival, inland, finished }
}

export function phaseAt(schedule: Schedule, at: number): Phase {
  return PHASES.findLast((phase) => schedule[phase] <= at) ?? 'draft'
}

/** The middle of the days around it. */
export function departureOf({ near_departure, at_sea }: Schedule): number {
  return (near_departure + at_sea) / 2
}

export function arrivalOf({ near_arrival, inland }: Schedule): number {
  return (near_arrival + inland) / 2
}
