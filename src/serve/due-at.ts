import { dueRange, type DueChoice, type DueRange } from '../model/due-choice.ts'
import type { RecordQuery } from '../store/ports/record-query-port.ts'
import type { AdminContext } from './admin-context.ts'

/** What a choice means now, in the calendar of each account; UTC's for one that is configured no more. */
export function dueAt(
  choice: DueChoice,
  { accounts, clock }: Pick<AdminContext, 'accounts' | 'clock'>,
): NonNullable<RecordQuery['due']> {
  const zones = new Map(accounts().map(({ name, timeZone }) => [name, timeZone]))
  const ranges = new Map<string, DueRange>()
  // A list asks for the days of each of its rows.
  return (account) => {
    const range = ranges.get(account) ?? dueRange(choice, clock.calendarNow(account), zones.get(account) ?? 'UTC')
    ranges.set(account, range)
    return range
  }
}
