/** Of what comes together for people, as many are told one by one; more are told as one. */
export const MOST_SINGLE = 5

/** The pages of a pass follow one another faster. */
const QUIET_MS = 5_000
const LONGEST_WAIT_MS = 60_000

/** When what came at these instants is told: once nothing has come for a while, or the first has waited for long enough. */
export function gatheredAt(times: readonly number[]): number {
  return Math.min(Math.max(...times) + QUIET_MS, Math.min(...times) + LONGEST_WAIT_MS)
}
