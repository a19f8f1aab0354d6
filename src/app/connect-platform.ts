import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import { createPlatformClient } from '../platform/client.ts'
import type { PlatformClient } from '../platform/platform.ts'
import { readVersion } from '../version.ts'

export interface PlatformSurroundings {
  readonly clock: Clock
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
  /** See `OpenedWork`. Left out: any. */
  readonly longestId?: number | undefined
  /** Whether a request may be sent: asked in the turn in which it is written. Left out: always. */
  readonly mayWrite?: () => boolean
  /** See `RequesterOptions`. */
  readonly letOthers?: () => Promise<void>
}

/** An account's platform, with the account's credentials. */
export function connectPlatform(
  { clock, letOthers, longestId, mayWrite, resolve }: PlatformSurroundings,
  account: AccountSettings,
): PlatformClient {
  const { baseUrl, apiKey, timeoutMs, budget, tls, proxy } = account
  const userAgent = `shipbell/${readVersion()}`
  const { concurrency } = budget
  const surroundings = { clock, letOthers, longestId, mayWrite, resolve, userAgent }
  return createPlatformClient({ baseUrl, apiKey, timeoutMs, concurrency, tls, proxy, ...surroundings })
}
