import { covers } from './refresh-targets.ts'

const MOST = 2 ** 40

/** The smallest whole number of requests that allows a flow of `needed`; null: none does. `flowOf` grows with its number. */
export function smallestBudget(needed: number, flowOf: (requests: number) => number): number | null {
  let most = 1
  while (!covers(flowOf(most), needed)) {
    if (most >= MOST) return null
    most *= 2
  }
  let least = most / 2
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (covers(flowOf(middle), needed)) most = middle
    else least = middle
  }
  return most
}
