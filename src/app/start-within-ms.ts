import type { AccountSettings } from '../model/account.ts'

type Starting = Pick<AccountSettings, 'baseUrl' | 'watch'>

const EACH_MS = 200
const LONGEST_MS = 10_000
/** Of the smallest `every`. */
const LATENESS = 0.1

/**
 * Within how long an account, started together with others, sends its first request: time enough for those of one host not
 * to ask it all at once, and none for one alone.
 */
export function startWithinMs(account: Starting, starting: readonly Starting[]): number {
  const neighbours = starting.filter((each) => each !== account && hostOf(each) === hostOf(account)).length
  const smallestEveryMs = Math.min(...Object.values(account.watch).map(({ everyMs }) => everyMs))
  return Math.min(neighbours * EACH_MS, LONGEST_MS, smallestEveryMs * LATENESS)
}

function hostOf({ baseUrl }: Starting): string {
  return new URL(baseUrl).host
}
