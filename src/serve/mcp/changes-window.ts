import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import { ownersAmong } from '../../message/net/event-owner.ts'
import { byWeight, netEntries } from '../../message/net/net-entries.ts'
import type { NetEntry } from '../../message/net/net-entry.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { isRecordResource } from '../../model/resource.ts'
import type { DeskStore } from '../admin-context.ts'

/** How many events are summed up together, and how many are read at once. */
const MOST = 2_000
const SLICE = 200

/** For how many accounts it is remembered up to which event they are told of: those that rang last. */
const MOST_ACCOUNTS = 50

/**
 * A place in the changes since a moment. What rings while somebody pages is in none of their pages: they tell of what the log held
 * when the first page was asked for.
 */
export interface ChangesPlace {
  readonly since: number
  /** What the log held with the first page; null: nothing is known yet. */
  readonly end: LogEnd | null
  /** Where in the log the window begins; null: with the newest event. */
  readonly from: string | null
  /** How many entries of the window were shown. */
  readonly shown: number
}

/** When the newest event rang, and of accounts the sequence of their newest: an older instant may be committed later. */
interface LogEnd {
  readonly at: number
  readonly sequences: readonly (readonly [account: string, sequence: number])[]
}

const written = z.tuple([
  z.number(),
  z.number(),
  z.array(z.tuple([z.string(), z.number()])).max(MOST_ACCOUNTS),
  z.string().nullable(),
  z.number().int().min(0),
])

export function writePlace({ end, from, shown, since }: ChangesPlace): string {
  return Buffer.from(JSON.stringify([since, end?.at ?? -1, end?.sequences ?? [], from, shown])).toString('base64url')
}

/** Throws `bad_cursor`. */
export function readPlace(cursor: string): ChangesPlace {
  try {
    const [since, at, sequences, from, shown] = written.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { since, end: at < 0 ? null : { at, sequences }, from, shown }
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
  readonly end: ChangesPlace['end']
  /** Where the events go on that rang before these; null: none did since the moment. */
  readonly next: string | null
}

/** The events of a place, and what they come to: always the same ones. `goOn` is called between steps, and may throw to end it. */
export async function readWindow(
  store: Pick<DeskStore, 'eventPage'>,
  place: ChangesPlace,
  goOn: () => Promise<void>,
): Promise<ChangesWindow> {
  const { end, from, since } = place
  const until = end === null ? {} : { until: end.at + 1 }
  const known = new Map(end?.sequences)
  const found: LoggedEvent[] = []
  let cursor = from
  do {
    await goOn()
    const asked = { since, ...until, bare: true, limit: Math.min(SLICE, MOST - found.length) }
    const page = await store.eventPage({ ...asked, ...(cursor !== null && { cursor }) })
    // What was committed since the first page is left out, although it rang before: otherwise it would move what follows.
    found.push(...page.items.filter(({ account, sequence }) => sequence <= (known.get(account ?? '') ?? Infinity)))
    cursor = page.next
  } while (cursor !== null && found.length < MOST)
  const all = await netOf(found.filter(isOfRecord).toReversed(), goOn)
  const entries = all.filter(({ changes }) => changes.length > 0)
  return { entries, returned: all.length - entries.length, end: end ?? endOf(found), next: cursor }
}

/** `netEntries`, owner by owner. */
async function netOf(
  events: readonly LoggedEvent[],
  goOn: () => Promise<void>,
): Promise<readonly NetEntry<LoggedEvent>[]> {
  const entries: NetEntry<LoggedEvent>[] = []
  for (const own of Map.groupBy(events, ownersAmong(events)).values()) {
    await goOn()
    entries.push(...netEntries(own))
  }
  return entries.toSorted(byWeight)
}

/** What the log holds, by its newest events, the newest first. */
function endOf(events: readonly LoggedEvent[]): LogEnd | null {
  const [first] = events
  if (first === undefined) return null
  const sequences = new Map<string, number>()
  for (const { account, sequence } of events) {
    if (account === null || (sequences.size === MOST_ACCOUNTS && !sequences.has(account))) continue
    sequences.set(account, Math.max(sequences.get(account) ?? 0, sequence))
  }
  return { at: first.timestamp, sequences: [...sequences] }
}

/** What rings about accounts and endpoints is about Shipbell itself, and a test is no news. */
function isOfRecord({ cause, expiredAt, subject }: LoggedEvent): boolean {
  return isRecordResource(subject.resource) && cause !== 'test' && expiredAt === null
}
