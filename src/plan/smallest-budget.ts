const MOST = 2 ** 40

/** The smallest whole number of requests that allows a flow of `needed`; null: none does. `flowOf` grows with its number. */
export function smallestBudget(needed: number, flowOf: (requests: number) => number): number | null {
  let most = 1
  while (flowOf(most) < needed) {
    if (most >= MOST) return null
    most *= 2
  }
  let least = most / 2
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (flowOf(middle) < needed) least = middle
    else most = middle
  }
  return most
}
