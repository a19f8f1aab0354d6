import { html } from 'hono/html'
import { formatInstant } from '../../../model/instant.ts'
import { counted } from '../../../message/words/span.ts'
import { moment } from '../../../message/words/moment.ts'
import type { Html } from './markup.ts'

/** `Sat 12 Dec 2026, 10:00 UTC`, to the millisecond on demand. */
export function instant(at: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${iso}">${moment(iso)}</time>`
}

/** `3 minutes ago`, with the instant on demand. */
export function ago(at: number, now: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${moment(iso)}">${agoText(at, now)}</time>`
}

/** How long ago an instant was, in one unit: who wants to know it exactly looks at the instant. */
export function agoText(at: number, now: number): string {
  const minutes = Math.floor(Math.abs(now - at) / 60_000)
  if (minutes === 0) return 'just now'
  const said = lengthOf(minutes)
  // A clock that was set back, and dates to come.
  return now < at ? `in ${said}` : `${said} ago`
}

function lengthOf(minutes: number): string {
  if (minutes < 60) return counted(minutes, 'minute')
  if (minutes < 2 * 1_440) return counted(Math.floor(minutes / 60), 'hour')
  return counted(Math.floor(minutes / 1_440), 'day')
}

/** `Sat 12 Dec`, with the instant on demand. */
export function day(at: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${moment(iso)}">${dayText(at)}</time>`
}

/** `Sat 12 Dec` */
export function dayText(at: number): string {
  return moment(formatInstant(at).slice(0, 10)).replace(/ \d{4}$/, '')
}
