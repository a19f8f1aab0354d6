import type { Clock, LetOthers } from '../clock.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { AccountSettings } from '../model/account.ts'
import { watchedAs, type RecordResource } from '../model/resource.ts'
import type { Telemetry } from '../model/telemetry.ts'
import { createPlatformClient } from '../platform/client.ts'
import type { Outcome, Page, Unchanged } from '../platform/outcome.ts'
import type { Platform, PlatformClient, UnreadPage } from '../platform/platform.ts'
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
  readonly letOthers?: LetOthers
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

/** A platform each of whose answers is heard of. An answer that a shutdown cut is none. */
export function observedPlatform(platform: Platform, account: string, telemetry: Telemetry): Platform {
  const heard = <T>(resource: RecordResource, outcome: Outcome<T>): Outcome<T> => {
    const reason = 'reason' in outcome ? outcome.reason : null
    const { exchange, kind } = outcome
    telemetry.requested({ account, resource: watchedAs(resource), outcome: kind, exchange, reason })
    return outcome
  }
  return {
    list: async (resource, request, signal) => {
      const outcome = await platform.list(resource, request, signal)
      if (outcome.kind !== 'ok' || !isUnread(outcome.value)) return heard(resource, outcome)
      const { read } = outcome.value
      // Only whoever reads the rows learns whether the answer can be used.
      return { ...outcome, value: { kind: 'unread', read: async (known) => heard(resource, await read(known)) } }
    },
    item: async (resource, id, signal) => heard(resource, await platform.item(resource, id, signal)),
    reread: async (resource, request, signal) => heard(resource, await platform.reread(resource, request, signal)),
    [Symbol.asyncDispose]: async () => platform[Symbol.asyncDispose](),
  }
}

function isUnread(value: Page | UnreadPage | Unchanged): value is UnreadPage {
  return typeof value === 'object' && 'kind' in value
}
