import type { Emitted } from './real-deliveries.ts'

export interface EmittedDifference {
  /** Expected and not told. */
  readonly missed: readonly string[]
  /** Told and not expected, or told too often. */
  readonly invented: readonly string[]
}

/** Two lists of events as multisets: order does not count, repetition does. */
export function compareEmitted(expected: readonly Emitted[], emitted: readonly Emitted[]): EmittedDifference {
  return { missed: without(expected, emitted), invented: without(emitted, expected) }
}

function without(all: readonly Emitted[], taken: readonly Emitted[]): readonly string[] {
  const left = new Map<string, number>()
  for (const key of taken.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1)
  return all.map(keyOf).filter((key) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

function keyOf({ type, shipment, seen, from, to, shiftMinutes }: Emitted): string {
  return JSON.stringify([type, shipment, seen, sorted(from), sorted(to), shiftMinutes])
}

function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value
}
