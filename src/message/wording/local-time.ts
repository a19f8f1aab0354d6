import { formatInstant } from '../../model/instant.ts'
import type { Language } from '../../model/reader.ts'
import { localeOf } from './wording.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Made once for each language and zone that is configured. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** A calendar date: `Sat 12 Dec 2026`, `Sa., 12. Dez. 2026`; without its year: `Sat 12 Dec`. */
export function dayText(date: string, language: Language, { withYear = true } = {}): string {
  const at = new Date(`${date}T00:00:00Z`)
  if (language === 'en') {
    const day = `${DAYS[at.getUTCDay()]} ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
    return withYear ? `${day} ${at.getUTCFullYear()}` : day
  }
  const year = withYear ? ({ year: 'numeric' } as const) : {}
  return format(`day ${withYear}`, language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...year,
    timeZone: 'UTC',
  }).format(at)
}

/** A date in a row of dates, up to its month or year: `12`, `12 Dec`, `12 Dec 2026`. */
export function shortDay(date: string, language: Language, upTo: 'day' | 'month' | 'year'): string {
  const at = new Date(`${date}T00:00:00Z`)
  if (language === 'en') {
    const day = String(at.getUTCDate())
    const month = `${day} ${MONTHS[at.getUTCMonth()]}`
    return upTo === 'day' ? day : upTo === 'month' ? month : `${month} ${at.getUTCFullYear()}`
  }
  const year = upTo === 'year' ? ({ year: 'numeric' } as const) : {}
  const options = { day: 'numeric', month: 'short', ...year, timeZone: 'UTC' } as const
  const parts = format(`short ${upTo}`, language, options).formatToParts(at)
  // With the full stop that German puts behind a day.
  const shown = upTo === 'day' ? parts.slice(0, 2) : parts
  return shown
    .map(({ value }) => value)
    .join('')
    .trim()
}

/** Years of four digits. */
const YEAR_0 = Date.parse('0000-01-01T00:00Z')
const YEAR_10000 = Date.parse('9999-12-31T24:00Z')

/** An instant in a zone. */
export interface LocalTime {
  /** `2026-12-12` */
  readonly date: string
  /** `10:00` */
  readonly time: string
  /** `CET`, `UTC+8` */
  readonly zone: string
}

export function localTime(instant: number, language: Language, timeZone: string): LocalTime {
  // The zone of whoever chose none: what a Node knows of zones need not be loaded for it.
  if (timeZone === 'UTC' && instant >= YEAR_0 && instant < YEAR_10000) {
    const text = formatInstant(instant)
    return { date: text.slice(0, 10), time: text.slice(11, 16), zone: 'UTC' }
  }
  const parts = format('time', language, {
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? ''
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    zone: part('timeZoneName')
      .replace(/^GMT(?=[+-])/, 'UTC')
      .replace('\u2212', '-'),
  }
}

function format(name: string, language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${language} ${options.timeZone ?? ''}`
  const made = FORMATS.get(key) ?? new Intl.DateTimeFormat(localeOf({ language }), options)
  FORMATS.set(key, made)
  return made
}
