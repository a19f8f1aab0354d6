import type { Clock } from '../../clock.ts'
import type { ChangeFeed } from '../../serve/stream/change-feed.ts'
import type { Attempted, WorkerStore } from '../../store/ports/worker-port.ts'

const LOOK_EVERY_MS = 1_000

export interface OthersAttemptsOptions {
  readonly store: Pick<WorkerStore, 'attemptsSince'>
  readonly feed: ChangeFeed
  readonly clock: Clock
}

/** While anybody is shown changes: tells of the attempts of other workers too, a second later. Never throws: a look that fails is missed. */
export function tellOfOthers({ clock, feed, store }: OthersAttemptsOptions): AsyncDisposable {
  const closing = new AbortController()
  const untilClosed = lookOn()
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await untilClosed
    },
  }

  async function lookOn(): Promise<void> {
    for (let known: Attempted | null = null; !closing.signal.aborted;) {
      await clock.sleep(LOOK_EVERY_MS, closing.signal)
      known = feed.isRead ? await look(known) : null
    }
  }

  async function look(known: Attempted | null): Promise<Attempted | null> {
    try {
      const found = await store.attemptsSince(known)
      feed.rowsFound(found.deliveries)
      return found
    } catch {
      return known
    }
  }
}
