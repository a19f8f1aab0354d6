import type { LoggedEvent } from '../model/event.ts'
import { isRecordResource } from '../model/resource.ts'
import type { RecentEvents } from '../report/recent-events.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'

/** How many events are held, and how many are read at once. */
const MOST = 2_000
const SLICE = 200
/** For how many choices of accounts they are held, those that were asked for last. */
const MOST_CHOICES = 20

/** Events that rang lately, held from one question to the next: only what rang since is read. */
export class RecentLog {
  readonly #store: Pick<LogQueryStore, 'eventPage'>
  readonly #held = new Map<string, Promise<RecentEvents>>()

  constructor(store: Pick<LogQueryStore, 'eventPage'>) {
    this.#store = store
  }

  /** The newest events of these accounts; left out: of all. */
  async recent(accounts?: readonly string[]): Promise<RecentEvents> {
    const key = JSON.stringify(accounts ?? null)
    const before = this.#held.get(key)
    this.#held.delete(key)
    const now = this.#read(before ?? null, accounts)
    this.#held.set(key, now)
    const [oldest] = this.#held.keys()
    if (this.#held.size > MOST_CHOICES && oldest !== undefined) this.#held.delete(oldest)
    // A failure is nobody's answer for long.
    now.catch(() => {
      if (this.#held.get(key) === now) this.#held.delete(key)
    })
    return await now
  }

  async #read(before: Promise<RecentEvents> | null, accounts: readonly string[] | undefined): Promise<RecentEvents> {
    const held = (await before?.catch(() => null)) ?? { events: [], isCut: false }
    const known = new Set(held.events.map(({ id }) => id))
    const added: LoggedEvent[] = []
    let cursor: string | null | undefined
    for (let looked = 0; cursor !== null && looked < MOST;) {
      const page = await this.#store.eventPage({
        limit: known.size === 0 || cursor !== undefined ? SLICE : FIRST_SLICE,
        bare: true,
        ...(accounts !== undefined && { accounts }),
        ...(cursor !== undefined && { cursor }),
      })
      looked += page.items.length
      const end = page.items.findIndex(({ id }) => known.has(id))
      added.push(...(end === -1 ? page.items : page.items.slice(0, end)).filter(isOfRecord))
      if (end !== -1) return this.#joined(added, held)
      // Behind an event whose content has expired nothing is left that could be shown.
      if (page.items.some(({ expiredAt }) => expiredAt !== null)) return { events: added, isCut: true }
      cursor = page.next
    }
    return { events: added.slice(0, MOST), isCut: cursor !== null || added.length > MOST }
  }

  #joined(added: readonly LoggedEvent[], { events, isCut }: RecentEvents): RecentEvents {
    if (added.length === 0) return { events, isCut }
    const all = [...added, ...events]
    return { events: all.slice(0, MOST), isCut: isCut || all.length > MOST }
  }
}

/** Mostly little rang since it was asked for last. */
const FIRST_SLICE = 20

/** What rings about accounts and endpoints is about Shipbell itself, and a test is no news. */
function isOfRecord({ cause, expiredAt, subject }: LoggedEvent): boolean {
  return isRecordResource(subject.resource) && cause !== 'test' && expiredAt === null
}
