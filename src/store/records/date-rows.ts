import type { EventDraft } from '../../model/event.ts'
import type { RecordState } from '../../model/record-state.ts'
import { trackingDate, type Milestone } from '../../model/shipment.ts'
import { dateText, instantOf, isSameDate, NO_DATE, type DateText, type ToldDate } from '../../model/told-dates.ts'
import type { DateValue } from '../ports/record-query-port.ts'

export interface DateRow extends DateValue {
  readonly place: number
}

/** An event that was stored just now, in this transaction. */
export type StoredEvent = Pick<
  EventDraft,
  'id' | 'type' | 'account' | 'subject' | 'timestamp' | 'extras' | 'object'
> & { readonly storedAt: number }

/** The rows that an event adds to a date whose last one is given, each value behind the one that was learnt silently before it. */
export function datesAfter(
  last: DateRow | undefined,
  { drift, from, isOnlyShown, to }: ToldDate,
  event: StoredEvent,
): readonly DateRow[] {
  const before = last ?? NO_DATE
  const place = last?.place ?? 0
  const silent = { toldAt: null, eventId: null }
  if (isOnlyShown === true) return isSameDate(before, to) ? [] : [{ ...to, place: place + 1, seenAt: null, ...silent }]
  const told = { ...to, seenAt: event.timestamp, toldAt: event.storedAt, eventId: event.id }
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
