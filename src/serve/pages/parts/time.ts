import { html } from 'hono/html'
import { formatInstant } from '../../../model/instant.ts'
import type { Json } from '../../../model/json.ts'
import { formatInZone } from '../../../model/time-zone.ts'
import { isCalendarDate } from '../../../model/zoned-day.ts'
import { counted } from '../../../message/words/span.ts'
import { moment } from '../../../message/words/moment.ts'
import { dayText as textOfDay, localTime } from '../../../message/wording/local-time.ts'
import { localeOf, wordingOf, type Wording } from '../../../message/wording/wording.ts'
import { visible } from '../../../printable.ts'
import { say } from '../languages/say.ts'
import type { Html } from './markup.ts'
import { viewer } from './viewer.ts'

/** How whoever looks is told things: in their language, dates on the one clock of the page. */
export function wording(): Wording {
  return wordingOf(viewer())
}

/** A date as a record has it, on the clock of whoever looks: `Sat 12 Dec 2026, 11:00 CET`; a calendar date stays the day it is. */
export function momentText(value: Json | undefined): string {
  return moment(value, wording())
}

/** A date as a record has it, and on a second line as the platform wrote it. */
export function sentDate(value: string): Html {
  const said = momentText(value)
  return html`<span class="sent"
    ><bdi>${visible(said)}</bdi
    >${said === value || isCalendarDate(value) ? null : html`<span class="as-sent"><bdi>${visible(value)}</bdi></span>`}</span
  >`
}

/** An instant for programs and tables, with the offset of the one zone: `2026-12-12T11:00:00+01:00`. */
export function zonedInstant(at: number): string {
  return formatInZone(at, viewer().timeZone)
}

/** `Sat 12 Dec 2026, 11:00 CET`, to the millisecond on demand. */
export function instant(at: number): Html {
  return html`<time datetime="${formatInstant(at)}" title="${zonedInstant(at)}">${momentText(formatInstant(at))}</time>`
}

/** `3 minutes ago`, with the instant on demand. */
export function ago(at: number, now: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${momentText(iso)}">${agoText(at, now)}</time>`
}

/** How long ago an instant was, in one unit: who wants to know it exactly looks at the instant. */
export function agoText(at: number, now: number): string {
  const minutes = Math.floor(Math.abs(now - at) / 60_000)
  if (minutes === 0) return say('just now')
  if (viewer().language !== 'en') return relative(now < at ? minutes : -minutes)
  const said = lengthOf(minutes)
  // A clock that was set back, and dates to come.
  return now < at ? `in ${said}` : `${said} ago`
}

/** `vor 3 Minuten`, `il y a 2 jours`. */
function relative(minutes: number): string {
  const { amount, unit } = inOneUnit(Math.abs(minutes))
  return new Intl.RelativeTimeFormat(localeOf(viewer())).format(Math.sign(minutes) * amount, unit)
}

function lengthOf(minutes: number): string {
  const { amount, unit } = inOneUnit(minutes)
  return counted(amount, unit)
}

function inOneUnit(minutes: number) {
  if (minutes < 60) return { amount: minutes, unit: 'minute' } as const
  if (minutes < 2 * 1_440) return { amount: Math.floor(minutes / 60), unit: 'hour' } as const
  return { amount: Math.floor(minutes / 1_440), unit: 'day' } as const
}

/** `Sat 12 Dec`, with the instant on demand. */
export function day(at: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${momentText(iso)}">${dayText(at)}</time>`
}

/** `Sat 12 Dec` */
export function dayText(at: number): string {
  const { language, timeZone } = viewer()
  return textOfDay(localTime(at, language, timeZone).date, language, { withYear: false })
}

/** `Sat 12 Dec, 11:00`, with the whole instant on demand. */
export function hour(at: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${momentText(iso)}">${hourText(at)}</time>`
}

/** `11:00` */
export function clockText(at: number): string {
  const { language, timeZone } = viewer()
  return localTime(at, language, timeZone).time
}

/** `Sat 12 Dec, 11:00` */
export function hourText(at: number): string {
  const { language, timeZone } = viewer()
  const { date, time } = localTime(at, language, timeZone)
  return `${textOfDay(date, language, { withYear: false })}, ${time}`
}
