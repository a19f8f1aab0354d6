import { RECORD_OF, RESOURCES, type Watchable } from '../../../model/resource.ts'
import type { Json } from '../../../model/json.ts'
import type { FactName } from '../../../message/languages/terms.ts'
import { span } from '../../../message/words/span.ts'
import { words } from '../../../message/words/short.ts'
import { units } from '../../../message/wording/numbers.ts'
import { amountText, say } from '../languages/say.ts'
import { wording } from './time.ts'

/** A word of the platform in the language of whoever looks: `awaiting_booking` → `awaiting booking`, `wartet auf Buchung`. */
export function wordText(value: Json | undefined): string {
  return words(value, wording())
}

/** What is watched as a list has it: `Purchase orders`. */
export function watchedText(watch: Watchable): string {
  return say(RESOURCES[RECORD_OF[watch]].labels.many)
}

/** An amount that is whole from 10 on: `1,250`, `2.5`. */
export function roughText(many: number): string {
  return amountText(many < 10 ? Math.round(many * 10) / 10 : Math.round(many))
}

/** A length of time in its two largest units: `1 day 4 hours`, `1 Tag 4 Stunden`. */
export function lengthText(minutes: number): string {
  return span(minutes, wording())
}

/** `1 day`, `3 Tage`. */
export function daysText(days: number): string {
  return units(days, 'day', wording())
}

/** How far a date went: `1 day 4 hours later`, `3 Tage früher`. */
export function shiftText(minutes: number): string {
  const length = lengthText(minutes)
  return minutes > 0 ? say('{length} later', { length }) : say('{length} earlier', { length })
}

/** What facts of messages are called. */
export function labelsOf(names: readonly FactName[]): ReadonlySet<string> {
  const { labels } = wording().terms
  return new Set(names.map((name) => labels[name]))
}
