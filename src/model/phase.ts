/** Where a shipment is on its way, as far as it says how often it will change. */
export const PHASES = ['draft', 'booked', 'near_departure', 'at_sea', 'near_arrival', 'inland', 'finished'] as const
export type Phase = (typeof PHASES)[number]

/** The phase of a shipment as it was last seen, and when time alone brings the next one; null: never. */
export interface PhaseSpan {
  readonly phase: Phase
  readonly until: number | null
}
