import { randomOf } from '../random.ts'

const DAY = 86_400_000

/** At the start, shipments of the last weeks are known: the longest journeys are then spread over all their stages. */
const PAST_DAYS = 56

export interface WorldOptions {
  readonly seed: string
  /** How many shipments exist at `startAt`; as many are born in every `PAST_DAYS` after it. */
  readonly shipments: number
  /** Milliseconds since the Unix epoch. */
  readonly startAt: number
}

/** When the n-th shipment (from 0) is created; increasing with n. Infinity where a world has none. */
export function birthOf(index: number, { seed, shipments, startAt }: WorldOptions): number {
  if (shipments === 0) return Infinity
  const within = randomOf(seed, 'birth', index).between(0.02, 0.98)
  return Math.floor(startAt + ((index + within) / shipments - 1) * PAST_DAYS * DAY)
}
