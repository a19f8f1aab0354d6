import type { JsonObject } from '../../../src/model/json.ts'

/** What one read of a unit can show. */
export type Channel = 'list' | 'tracking'

/** Something that happens to a shipment; a read of any of its channels sent later shows it. */
export interface Change {
  readonly at: number
  readonly shows: readonly Channel[]
}

/** One shipment of a simulated account. */
export interface Course {
  readonly id: string
  /** From when the list shows it. */
  readonly bornAt: number
  /** From when it is finished or cancelled; infinite: not within the simulation. */
  readonly closedAt: number
  /** All that changes after its birth, earliest first. */
  readonly changes: readonly Change[]
  /** What each channel shows after so many of the changes that it shows. */
  readonly render: Readonly<Record<Channel, (changes: number) => JsonObject>>
  /** Changes a day that are to be expected, business hours left out, each counted under the channels that show it. */
  readonly rates: (at: number) => Rates
}

export interface Rates {
  readonly listOnly: number
  readonly trackingOnly: number
  readonly both: number
}

export interface Scenario {
  readonly courses: readonly Course[]
  /** The list as the platform shows it, in its order. */
  readonly listAt: (at: number) => readonly Course[]
  /** New shipments a day. */
  readonly births: number
  /** When the account was first read, long before. */
  readonly baselineAt: number
  readonly startAt: number
  /** Changes before this teach, but are not counted. */
  readonly countedFrom: number
  readonly endAt: number
}

export const NO_RATES: Rates = { listOnly: 0, trackingOnly: 0, both: 0 }
