/** From `at` on, the platform shows `value`. */
export interface Entry<T> {
  readonly at: number
  readonly value: T
}

/** Everything a field ever shows, in the order of time: any moment can be read without the ones before it. */
export type Timeline<T> = readonly Entry<T>[]

/** What is shown at `time`; undefined before the first entry. */
export function valueAt<T>(timeline: Timeline<T>, time: number): T | undefined {
  return timeline[countBy(timeline, time) - 1]?.value
}

/** How many entries of a list sorted by `at` have come by `time`. */
export function countBy(sorted: readonly { readonly at: number }[], time: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.at ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorted by time; entries that show what was shown already are left out, as are those that another replaces at once. */
export function timelineOf<T>(entries: readonly Entry<T>[], same: (a: T, b: T) => boolean): Timeline<T> {
  const sorted = [...entries].sort((a, b) => a.at - b.at)
  const changes: Entry<T>[] = []
  for (const entry of sorted) {
    if (changes.at(-1)?.at === entry.at) changes.pop()
    const last = changes.at(-1)
    if (last === undefined || !same(last.value, entry.value)) changes.push(entry)
  }
  return changes
}
