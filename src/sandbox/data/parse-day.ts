const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = 86_400_000

/**
 * Days since the Unix epoch of `02-Jun-06` or `2006-06-02`. null: a text without a digit, which stands where there is no
 * date (`Date Not Captured`). NaN: meant as a date, but there is no such day. Years of two digits are of this century.
 */
export function parseDay(text: string): number | null {
  if (!/\d/.test(text)) return null
  const named = /^(\d{1,2})-([a-z]{3})-(?:20)?(\d{2})$/i.exec(text)
  if (named !== null) {
    const [, day = '', month = '', year = ''] = named
    return dayOf(2000 + Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day))
  }
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return dayOf(Number(year), Number(month) - 1, Number(day))
}

function dayOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() / DAY : Number.NaN
}
