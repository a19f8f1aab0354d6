import { localeOf, filled, type Wording } from './wording.ts'
import type { CountedWord } from '../languages/terms.ts'

type Numbering = Pick<Wording, 'language'>

const FORMATS = new Map<string, Intl.NumberFormat>()
const PLURALS = new Map<string, Intl.PluralRules>()
const MOST_DIGITS = 30

/** Digits stay exact. At least so many decimals: `1,250.50`, `1.250,50`. */
export function decimal(text: `${number}`, decimals: number, { language }: Numbering): string {
  const known = FORMATS.get(`${language} ${decimals}`)
  const format =
    known ??
    new Intl.NumberFormat(localeOf({ language }), {
      minimumFractionDigits: decimals,
      maximumFractionDigits: MOST_DIGITS,
      useGrouping: 'always',
    })
  FORMATS.set(`${language} ${decimals}`, format)
  return format.format(text)
}

/** `3 days`, `3 Tage`, `3 jours`. */
export function units(amount: number, unit: 'day' | 'hour' | 'minute', { language }: Numbering): string {
  const known = FORMATS.get(`${language} ${unit}`)
  const format =
    known ??
    new Intl.NumberFormat(localeOf({ language }), { style: 'unit', unit, unitDisplay: 'long', useGrouping: false })
  FORMATS.set(`${language} ${unit}`, format)
  return format.format(amount)
}

/** `1 event`, `3 événements`. */
export function countOf(amount: number, word: CountedWord, wording: Wording): string {
  return countBeside({ n: amount }, word, wording)
}

/** A count whose words name what it is of, too: `3 lines of purchase order PO-1 were assigned`. */
export function countBeside(
  { n, ...names }: { readonly n: number; readonly order?: string },
  word: CountedWord,
  { language, terms }: Wording,
): string {
  const rules = PLURALS.get(language) ?? new Intl.PluralRules(localeOf({ language }))
  PLURALS.set(language, rules)
  const forms = terms.counts[word]
  return filled(rules.select(n) === 'one' ? forms.one : forms.other, { ...names, n: String(n) })
}

/** `today`, `in 3 days`, `in 3 Tagen`. */
export function inDays(days: number, { language }: Numbering): string {
  const numeric = days === 0 ? 'auto' : 'always'
  return new Intl.RelativeTimeFormat(localeOf({ language }), { numeric }).format(days, 'day')
}
