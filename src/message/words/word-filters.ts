import type { Json } from '../../model/json.ts'
import { carriage } from './carriage.ts'
import { changed } from './changed.ts'
import { corrected } from './corrected.ts'
import { at, happened, happening } from './happened.ts'
import { journey } from './journey.ts'
import { moment } from './moment.ts'
import { invoiceTotal, money } from './money.ts'
import { moved, shift } from './moved.ts'
import { many, one } from './resource.ts'
import { clause, short, words } from './short.ts'
import { counted, span } from './span.ts'

/** How templates say values of payloads, by the filters' names. None throws, whatever it is given. */
export const WORD_FILTERS: Readonly<Record<string, (value: Json | undefined) => string>> = {
  at,
  carriage,
  changed,
  clause,
  corrected,
  date_or_none: (value) => moment(value) || 'none',
  days: (value) => counted(Math.abs(Number(value)), 'day'),
  happened,
  happening,
  hours: (value) => span(Math.abs(Number(value)) * 60),
  invoice_total: invoiceTotal,
  journey,
  many,
  moment,
  money,
  moved,
  one,
  shift: (value) => shift(value) ?? '',
  short,
  words,
}
