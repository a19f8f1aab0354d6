/** The first of the days that are known; null where none is. */
export function earliest(days: readonly (number | null)[]): number | null {
  return days.reduce<number | null>(
    (first, day) => (first === null || day === null ? (first ?? day) : Math.min(first, day)),
    null,
  )
}
