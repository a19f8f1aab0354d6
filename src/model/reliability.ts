/** How long arrivals count. */
export const COUNTED_MS = 180 * 86_400_000

/** How well dates of a carrier or lane were kept. */
export interface Reliability {
  readonly key: string
  /** Arrivals. */
  readonly n: number
  /** How many of them came within 24 hours of the date that was told first, and of the one that was told last. */
  readonly nearFirst: number
  readonly nearLast: number
  readonly medianDriftMinutes: number
}
