import { html } from 'hono/html'
import { formatInstant } from '../../../model/instant.ts'
import { span } from '../../../message/words/span.ts'
import { moment } from '../../../message/words/moment.ts'
import type { Html } from './markup.ts'

/** `Sat 12 Dec 2026, 10:00 UTC` */
export function instant(at: number): Html {
  return html`<time datetime="${formatInstant(at)}">${moment(formatInstant(at))}</time>`
}

/** `3 minutes ago`, with the instant on demand. */
export function ago(at: number, now: number): Html {
  const iso = formatInstant(at)
  return html`<time datetime="${iso}" title="${moment(iso)}">${agoText(at, now)}</time>`
}

export function agoText(at: number, now: number): string {
  const minutes = (now - at) / 60_000
  if (Math.abs(minutes) < 1) return 'just now'
  // A clock that was set back, and dates to come.
  return minutes < 0 ? `in ${span(minutes)}` : `${span(minutes)} ago`
}

/** `Sat 12 Dec` */
export function dayText(at: number): string {
  return moment(formatInstant(at).slice(0, 10)).replace(/ \d{4}$/, '')
}
