export const PHASES = ['draft', 'booked', 'near_departure', 'at_sea', 'near_arrival', 'inland', 'finished'] as const
export type Phase = (typeof PHASES)[number]

/** Changes a day of a shipment. */
export const CHANGES_A_DAY: Readonly<Record<Phase, number>> = {
  draft: 0.3,
  booked: 0.8,
  near_departure: 3,
  at_sea: 0.7,
  near_arrival: 4,
  inland: 5,
  finished: 0.02,
}

/** The part of them that only the list shows: cargo and booking at first, invoices at last. */
export const LIST_ONLY: Readonly<Record<Phase, number>> = {
  draft: 0.9,
  booked: 0.5,
  near_departure: 0.1,
  at_sea: 0.1,
  near_arrival: 0.1,
  inland: 0.1,
  finished: 1,
}

/** The part of all changes of tracking that the row in the list shows too. */
export const SHARED = 0.6
