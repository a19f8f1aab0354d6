import type { Mode } from '../catalogue/lanes.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

type Range = readonly [from: number, to: number]

/** How fast a kind of freight moves; hours, where nothing else is said. */
export interface Pace {
  readonly draft: Range
  readonly request: Range
  readonly awaiting: Range
  /** From the booking to the pickup. */
  readonly ready: Range
  /** From the pickup to the departure. */
  readonly precarriage: Range
  /** From the arrival to the delivery. */
  readonly oncarriage: Range
  /** How far an estimate moves at once. */
  readonly slip: Range
  /** From the fact to the platform showing it. */
  readonly lag: Range
  /** Two milestones are never closer than this; corrections move an actual by less than half of it. */
  readonly gap: number
  /** Estimates are given to this many minutes. */
  readonly grain: number
}

export const PACES: Readonly<Record<Mode, Pace>> = {
  ocean: {
    draft: [20, 110],
    request: [14, 60],
    awaiting: [24, 96],
    ready: [72, 200],
    precarriage: [48, 110],
    oncarriage: [48, 130],
    slip: [6, 84],
    lag: [1, 7],
    gap: 12,
    grain: 60,
  },
  rail: {
    draft: [16, 72],
    request: [14, 60],
    awaiting: [20, 72],
    ready: [48, 140],
    precarriage: [30, 70],
    oncarriage: [30, 80],
    slip: [4, 40],
    lag: [1, 6],
    gap: 8,
    grain: 60,
  },
  air: {
    draft: [6, 40],
    request: [3, 20],
    awaiting: [6, 36],
    ready: [20, 80],
    precarriage: [14, 40],
    oncarriage: [16, 60],
    slip: [2, 26],
    lag: [0.3, 2],
    gap: 4,
    grain: 30,
  },
  truck: {
    draft: [6, 40],
    request: [3, 20],
    awaiting: [6, 30],
    ready: [16, 60],
    precarriage: [5, 14],
    oncarriage: [5, 20],
    slip: [1, 10],
    lag: [0.2, 1.5],
    gap: 3,
    grain: 30,
  },
}

/** To the minutes an estimate is given to. */
export function toGrain(instant: number, minutes: number): number {
  return Math.round(instant / (minutes * 60_000)) * minutes * 60_000
}
