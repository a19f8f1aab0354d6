import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { netEntries } from '../../message/net/net-entries.ts'
import type { NetEntry } from '../../message/net/net-entry.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { isRecordResource } from '../../model/resource.ts'
import type { DeskStore } from '../admin-context.ts'

/** How many events are summed up together, and how many are read at once. */
const MOST = 2_000
const SLICE = 200

/**
 * A place in the changes since a moment. What rings while somebody pages is in none of their pages: they begin at the event that was
 * the newest when the first page was asked for.
 */
export interface ChangesPlace {
  readonly since: number
  /** The newest event of the first page; null: nothing is known yet. */
  readonly newest: { readonly id: string; readonly at: number } | null
  /** Where in the log the window begins; null: with the newest event. */
  readonly from: string | null
  /** How many entries of the window were shown. */
  readonly shown: number
}

const written = z.tuple([z.number(), z.string(), z.number(), z.string().nullable(), z.number().int().min(0)])

export function writePlace({ from, newest, shown, since }: ChangesPlace): string {
  return Buffer.from(JSON.stringify([since, newest?.id ?? '', newest?.at ?? 0, from, shown])).toString('base64url')
}

/** Throws `bad_cursor`. */
export function readPlace(cursor: string): ChangesPlace {
  try {
    const [since, id, at, from, shown] = written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { since, newest: id === '' ? null : { id, at }, from, shown }
  } catch {
    throw new ShipbellError(
      'bad_cursor',
      'The cursor is none of list_changes: take `next` of its last answer, or none.',
    )
  }
}

/** What some events that rang one after the other come to. */
export interface ChangesWindow {
  /** What changed, the heaviest first; entries that came back to what was before are left out. */
  readonly entries: readonly NetEntry<LoggedEvent>[]
  /** How many records are as they were before. */
  readonly returned: number
  readonly newest: ChangesPlace['newest']
  /** Where the events go on that rang before these; null: none did since the moment. */
  readonly next: string | null
}

/** The events of a place, and what they come to: always the same ones. */
export async function readWindow(store: Pick<DeskStore, 'eventPage'>, place: ChangesPlace): Promise<ChangesWindow> {
  const until = place.newest === null ? {} : { until: place.newest.at + 1 }
  const found: LoggedEvent[] = []
  let hasBegun = place.from !== null || place.newest === null
  let cursor = place.from
  while (found.length < MOST) {
    const asked = { since: place.since, ...until, bare: true, limit: Math.min(SLICE, MOST - found.length) }
    const page = await store.eventPage({ ...asked, ...(cursor !== null && { cursor }) })
    const begins = hasBegun ? 0 : page.items.findIndex(({ id }) => id === place.newest?.id)
    hasBegun ||= begins !== -1
    if (hasBegun) found.push(...page.items.slice(begins))
    cursor = page.next
    if (cursor === null) break
  }
  const all = netEntries(found.filter(isOfRecord).toReversed())
  const entries = all.filter(({ changes }) => changes.length > 0)
  const [first] = found
  const newest = place.newest ?? (first === undefined ? null : { id: first.id, at: first.timestamp })
  return { entries, returned: all.length - entries.length, newest, next: cursor }
}

/** What rings about accounts and endpoints is about Shipbell itself, and a test is no news. */
function isOfRecord({ cause, expiredAt, subject }: LoggedEvent): boolean {
  return isRecordResource(subject.resource) && cause !== 'test' && expiredAt === null
}
