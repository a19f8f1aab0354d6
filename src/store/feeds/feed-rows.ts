import { exhausted, succeeded } from '../../ledger/endpoint-state.ts'
import { type FeedEnding, stateOfEnded } from '../../ledger/feeds.ts'
import type { SendingEndpoint } from '../../ledger/settle.ts'
import type { EndedFeed } from '../ports/feed-port.ts'
import { settingsSql } from '../deliveries/set-columns.ts'

/** What the end of a row of a feed sets, in either dialect. */
export const ENDED = settingsSql({
  state: { sql: ':state' },
  last_error: { sql: ':error' },
  finished_at: { sql: ':at' },
  next_attempt_at: null,
  wake_at: null,
  not_before: null,
  resumes_at: null,
})

const UNTAKEN = 'Nobody took it from the feed in time.'

/** The values of `ENDED`. */
export function endedValues(at: number, ending: FeedEnding) {
  const state = stateOfEnded(ending)
  return { state, at, error: state === 'delivered' ? null : UNTAKEN }
}

/** The endpoint of a feed of which rows have ended. */
export function afterEnding<Endpoint extends SendingEndpoint>(
  endpoint: Endpoint,
  { at, ended, ending }: { readonly at: number; readonly ended: number; readonly ending: FeedEnding | null },
): Endpoint {
  if (ending === null) return endpoint
  if (ending.kind === 'taken') return succeeded(endpoint, at)
  return ended === 0 ? endpoint : exhausted({ ...endpoint, last_error: UNTAKEN }, at)
}

/** What a walk along a feed came to, which looked at so many rows. */
export function endedFeed(
  { ended, isStopped }: { readonly ended: readonly unknown[]; readonly isStopped: boolean },
  { looked, most }: { readonly looked: number; readonly most: number },
): EndedFeed {
  return { ended: ended.length, isDone: isStopped || looked < most }
}
