const DAY_MS = 86_400_000
const FURTHEST_OFFSET_MS = 16 * 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()
const starts = new Map<string, number>()

/** The calendar date of an instant in a zone. */
export function dayIn(instant: number, zone: string): string {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return format.format(instant)
}

/** The first instant that has this date in a zone, found by nothing but asking for the date of instants. */
export function dayStart(date: string, zone: string): number {
  const key = `${zone} ${date}`
  let start = starts.get(key)
  if (start === undefined) {
    let before = Date.parse(date) - FURTHEST_OFFSET_MS
    start = Date.parse(date) + FURTHEST_OFFSET_MS
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2)
      if (dayIn(middle, zone) < date) before = middle
      else start = middle
    }
    starts.set(key, start)
  }
  return start
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

export function daysApart(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}
