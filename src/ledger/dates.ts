import { parseInstant } from '../model/instant.ts'
import {
  type DateText,
  dateText,
  instantOf,
  isSameDate,
  NO_DATE,
  type ToldDate,
  toldDates,
} from '../model/told-dates.ts'
import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import { type Milestone, trackingDate } from '../model/shipment.ts'
import type { FreshEvent } from './events.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** What is kept of a date that moved. */
export interface SlipRow {
  readonly first: number
  readonly now: number
  readonly revisions: number
  readonly movedAt: number
  readonly day: number
  /** Minutes, later or earlier. */
  readonly size: number
}

/**
 * How far a date is from its first value; null: it has no row from now on. A date that did not move since it was first seen has
 * none, nor has one that went. A restored shipment tells its dates without saying how they came: only what had moved before goes on.
 */
export function slipAfter(
  old: Pick<SlipRow, 'first' | 'movedAt' | 'revisions'> | undefined,
  { drift, from, to }: ToldDate & { readonly from: DateText },
  movedAt: number,
): SlipRow | 'as it was' | null {
  const now = instantOf(to)
  const first = (drift === undefined ? null : parseInstant(drift.first)) ?? old?.first ?? null
  if (now === null) return null
  if (first === null) return 'as it was'
  const before = instantOf(from)
  const moved = before === null ? now !== first : before !== now
  if (old === undefined && !moved) return 'as it was'
  const at = moved || old === undefined ? movedAt : old.movedAt
  const size = Math.abs(Math.round((now - first) / MINUTE_MS))
  const revisions = drift?.revisions ?? old?.revisions ?? 1
  return { first, now, revisions, movedAt: at, day: dayOf(at), size }
}

/** Days since the Unix epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** How much later a date is than its first value, in minutes; negative: how much earlier. */
export function driftOf({ first, now }: Pick<SlipRow, 'first' | 'now'>): number {
  return Math.round((now - first) / MINUTE_MS) + 0
}

/** One value of a date of a shipment. */
interface DateValue extends DateText {
  /** When the first answer with it had arrived; null: that is not known. */
  readonly seenAt: number | null
  /** When the event that reported it rang, and its id; null: it was learnt silently. */
  readonly toldAt: number | null
  readonly eventId: string | null
}

export interface DateRow extends DateValue {
  readonly place: number
}

/** One date of one shipment. */
export interface DateKey {
  readonly account: string
  readonly shipment: string
  readonly milestone: Milestone
}

type TellingEvent = Pick<EventDraft, 'id' | 'type' | 'account' | 'subject' | 'timestamp' | 'extras' | 'object'>

/** What one event, stored now, tells of a date. */
export interface Telling {
  readonly event: TellingEvent
  readonly storedAt: number
  readonly told: ToldDate
}

/** What the events of a batch tell of one date, one after the other. */
interface ToldHistory {
  readonly key: DateKey
  readonly tellings: readonly Telling[]
}

/** What events tell, date by date. Those of no account tell of none. */
export function tellingsOf(
  events: readonly (Omit<FreshEvent, 'event'> & { readonly event: TellingEvent })[],
): readonly ToldHistory[] {
  const histories = new Map<string, { readonly key: DateKey; readonly tellings: Telling[] }>()
  for (const { event, storedAt } of events) {
    const { account } = event
    if (account === null) continue
    for (const told of toldDates(event)) {
      const key = { account, shipment: event.subject.id, milestone: told.milestone }
      const name = nameOfDate(key)
      const history = histories.get(name) ?? { key, tellings: [] }
      history.tellings.push({ event, storedAt, told })
      histories.set(name, history)
    }
  }
  return [...histories.values()]
}

export function nameOfDate({ account, milestone, shipment }: Readonly<Record<keyof DateKey, string>>): string {
  return JSON.stringify([account, shipment, milestone])
}

/** A date as it is known: its last value, and how far it is from its first one. */
export interface DateAt {
  readonly last: DateRow | undefined
  readonly slip: Pick<SlipRow, 'first' | 'movedAt' | 'revisions'> | undefined
}

/** What becomes of a date: the values that it has behind its last one, and how far it is from its first. */
interface DateAfter {
  readonly added: readonly DateRow[]
  /** The slip from now on; null: none. */
  readonly slip: SlipRow | 'as it was' | null
}

export function dateAfter(known: DateAt, tellings: readonly Telling[]): DateAfter {
  const added: DateRow[] = []
  let slip: DateAfter['slip'] = 'as it was'
  for (const telling of tellings) {
    const { event, told } = telling
    const last = added.at(-1) ?? known.last
    if (told.isOnlyShown !== true) {
      const before = slip === 'as it was' ? known.slip : (slip ?? undefined)
      const moved = slipAfter(before, { ...told, from: told.from ?? last ?? NO_DATE }, event.timestamp)
      slip = moved === 'as it was' ? slip : moved
    }
    added.push(...valuesAfter(last, telling))
  }
  return { added, slip }
}

/** The values that an event adds to a date whose last one is given, each behind the one that was learnt silently before it. */
function valuesAfter(
  last: DateRow | undefined,
  { event, storedAt, told: { drift, from, isOnlyShown, to } }: Telling,
): readonly DateRow[] {
  const before = last ?? NO_DATE
  const place = last?.place ?? 0
  const silent = { toldAt: null, eventId: null }
  if (isOnlyShown === true) return isSameDate(before, to) ? [] : [{ ...to, place: place + 1, seenAt: null, ...silent }]
  const told = { ...to, seenAt: event.timestamp, toldAt: storedAt, eventId: event.id }
  if (from !== undefined && !isSameDate(before, from)) {
    const seenAt = drift !== undefined && from.date === drift.first && place === 0 ? drift.firstSeenAt : null
    return [
      { ...from, place: place + 1, seenAt, ...silent },
      { ...told, place: place + 2 },
    ]
  }
  return isSameDate(before, to) ? [] : [{ ...told, place: place + 1 }]
}

/** The values that a date of a shipment had, earliest first, the one of its last read included. `rows`: newest first. */
export function dateValues(
  { memory, seen }: Pick<RecordState, 'memory' | 'seen'>,
  milestone: Milestone,
  rows: readonly DateRow[],
): readonly DateValue[] {
  const told = rows.toReversed().map(dateValue)
  const now = dateText(trackingDate(seen, milestone)?.raw)
  const isLast = isSameDate(told.at(-1) ?? NO_DATE, now)
  const values = isLast ? told : [...told, { ...now, seenAt: null, toldAt: null, eventId: null }]
  const [oldest, ...others] = values
  const first = memory.milestones?.[milestone]?.first
  if (oldest?.seenAt !== null || first === undefined || !isSameInstant(first.date, oldest)) return values
  return [{ ...oldest, seenAt: first.seenAt }, ...others]
}

function isSameInstant(first: string, now: DateText): boolean {
  return instantOf({ date: first, status: null }) === instantOf(now)
}

function dateValue({ date, eventId, seenAt, status, toldAt }: DateRow): DateValue {
  return { date, status, seenAt, toldAt, eventId }
}
