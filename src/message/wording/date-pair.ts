import { parseInstant } from '../../model/instant.ts'
import { isCalendarDate } from '../../model/zoned-day.ts'
import { shortDay, localTime } from './local-time.ts'
import type { Wording } from './wording.ts'

/** Two dates beside each other, as short as they can be told apart. */
interface DatePair {
  readonly from: string
  readonly to: string
}

/** `12` and `17 Dec`, `28 Nov` and `2 Dec`, `12 Dec, 10:00` and `14:00`; two that are the same: `12 Dec` each. */
export function shortDates(from: string, to: string, wording: Wording): DatePair {
  const [a, b] = [dayOf(from, wording), dayOf(to, wording)]
  const { language } = wording
  if (a.date === b.date) {
    const day = shortDay(a.date, language, 'month')
    return a.time === b.time ? { from: day, to: day } : { from: `${day}, ${a.time}`, to: b.time }
  }
  const parts = a.date.slice(0, 4) !== b.date.slice(0, 4) ? 'year' : 'month'
  const isOneMonth = a.date.slice(0, 7) === b.date.slice(0, 7)
  return { from: shortDay(a.date, language, isOneMonth ? 'day' : parts), to: shortDay(b.date, language, parts) }
}

function dayOf(text: string, { language, timeZone }: Wording): { readonly date: string; readonly time: string } {
  const instant = isCalendarDate(text) ? null : parseInstant(text)
  return instant === null ? { date: text, time: '' } : localTime(instant, language, timeZone ?? 'UTC')
}
