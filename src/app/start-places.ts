import type { AccountSettings } from '../model/account.ts'
import { placeInPeriod } from '../plan/place-in-period.ts'

type Placed = Pick<AccountSettings, 'name' | 'baseUrl' | 'watch'>

/** When an account sends its first request, and where its passes are from then on, so that those of one host do not ask it all at once. */
export interface StartPlace {
  /** How long after the start. */
  readonly afterMs: number
  /** See `placeInPeriod`; null: the account is alone with its host. */
  readonly place: number | null
}

/** Between the first requests of two accounts that start together, unless their smallest `every` is too short for all of them. */
const EACH_MS = 200

/** The places of accounts that start together, by name. `all`: every account there is, whoever polls it. */
export function startPlaces(starting: readonly Placed[], all: readonly Placed[]): ReadonlyMap<string, StartPlace> {
  const hosts = new Map<string, string>()
  const hostOf = ({ baseUrl }: Placed): string => {
    const host = hosts.get(baseUrl) ?? new URL(baseUrl).host
    hosts.set(baseUrl, host)
    return host
  }
  const [amounts, startingAmounts] = [counts(all, hostOf), counts(starting, hostOf)]
  const places = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const account of all) {
    const nth = seen.get(hostOf(account)) ?? 0
    seen.set(hostOf(account), nth + 1)
    places.set(account.name, placeInPeriod(nth))
  }
  return new Map(
    starting.map((account) => {
      const host = hostOf(account)
      const place = places.get(account.name) ?? 0
      const withinMs = Math.min(((startingAmounts.get(host) ?? 1) - 1) * EACH_MS, smallestEveryMs(account))
      const isAlone = (amounts.get(host) ?? 1) === 1
      return [account.name, { afterMs: Math.floor(place * withinMs), place: isAlone ? null : place }]
    }),
  )
}

function counts(accounts: readonly Placed[], hostOf: (account: Placed) => string): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>()
  for (const account of accounts) amounts.set(hostOf(account), (amounts.get(hostOf(account)) ?? 0) + 1)
  return amounts
}

/** Infinity where nothing is watched. */
function smallestEveryMs({ watch }: Placed): number {
  return Math.min(...Object.values(watch).map(({ everyMs }) => everyMs))
}
