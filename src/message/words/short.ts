import type { Json } from '../../model/json.ts'
import { AS_SENT, type Wording } from '../wording/wording.ts'

const LONGEST = 120

/** A value of a record in a few words: long text is cut, what is nested is shown as JSON, nothing as a dash. */
export function short(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '–'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return cut(text, LONGEST)
}

/** `short` without the full stop at its end: for what stands in a sentence that has its own. */
export function clause(value: Json | undefined): string {
  return short(value).replace(/(?<=[^.])\.+$/, '')
}

/** At most `most` characters, never half of one. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}

/** A known word of the platform in the reader's language: `awaiting_booking` → `awaiting booking`, `wartet auf Buchung`. */
export function words(value: Json | undefined, { terms }: Wording = AS_SENT): string {
  const text = short(value)
  const known = Object.hasOwn(terms.words, text) ? terms.words[text] : undefined
  return known ?? (/^[a-z]+(?:_[a-z]+)*$/.test(text) ? text.replaceAll('_', ' ') : text)
}
