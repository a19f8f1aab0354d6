import type { Json } from '../../model/json.ts'
import { carriage } from './carriage.ts'
import { changed } from './changed.ts'
import { at, happened } from './happened.ts'
import { moment } from './moment.ts'
import { money } from './money.ts'
import { moved, shift } from './moved.ts'
import { short, words } from './short.ts'
import { counted, span } from './span.ts'

/** How templates say values of payloads, by the filters' names. None throws, whatever it is given. */
export const WORD_FILTERS: Readonly<Record<string, (value: Json | undefined) => string>> = {
  at,
  carriage,
  changed,
  date_or_none: (value) => moment(value) || 'none',
  days: (value) => counted(Math.abs(Number(value)), 'day'),
  happened,
  hours: (value) => span(Math.abs(Number(value)) * 60),
  moment,
  money,
  moved,
  shift: (value) => shift(value) ?? '',
  short,
  words,
}
