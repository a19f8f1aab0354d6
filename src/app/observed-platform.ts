import { watchedAs, type RecordResource } from '../model/resource.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { Outcome, Page, Unchanged } from '../platform/outcome.ts'
import type { Platform, UnreadPage } from '../platform/platform.ts'

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
