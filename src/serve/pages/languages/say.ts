import { html } from 'hono/html'
import { ENGLISH } from '../../../message/languages/en/terms.ts'
import type { Terms } from '../../../message/languages/terms.ts'
import { LANGUAGES } from '../../../model/reader.ts'
import { filled, localeOf, wordingOf } from '../../../message/wording/wording.ts'
import type { Content, Html } from '../parts/markup.ts'
import { viewer } from '../parts/viewer.ts'
import { SAYINGS } from './sayings.ts'

type Values = Readonly<Record<string, string | number>>

/**
 * A sentence of the desk in the language of whoever looks, by its English: `{names}` are values. Where one English word is several
 * in other languages, it says which behind a bar: `To|port`.
 */
export function say(english: string, values: Values = {}): string {
  return filled(sayingOf(english) ?? wordsOf(english), textsOf(values))
}

/** `say` with values that are markup. */
export function sayAround(english: string, values: Readonly<Record<string, Content>>): Html {
  const parts = (sayingOf(english) ?? english).split(/\{(\w+)\}/)
  return html`${parts.map((part, nth) => (nth % 2 === 0 ? part : (values[part] ?? part)))}`
}

/** `say` of an amount: which of the two is said, `{n}` decides by the rules of the language that says it. */
export function sayCount(n: number, [one, other]: readonly [one: string, other: string], values: Values = {}): string {
  const { language } = viewer()
  const said = sayingOf(isOne(n, language) ? one : other)
  return filled(said ?? (isOne(n, 'en') ? one : other), textsOf({ n: amountText(n), ...values }))
}

/** `1,250`, `1.250`. */
export function amountText(n: number): string {
  return n.toLocaleString(localeOf(viewer()), { useGrouping: 'always' })
}

/** The English without what tells it apart. */
function wordsOf(english: string): string {
  const bar = english.indexOf('|')
  return bar === -1 ? english : english.slice(0, bar)
}

const RULES = new Map<string, Intl.PluralRules>()

function isOne(n: number, language: ReturnType<typeof viewer>['language']): boolean {
  const rules = RULES.get(language) ?? new Intl.PluralRules(localeOf({ language }))
  RULES.set(language, rules)
  return rules.select(n) === 'one'
}

function textsOf(values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

/** The sentence in the language of whoever looks; undefined: it is English, or has no word for it yet. */
function sayingOf(english: string): string | undefined {
  const { language } = viewer()
  if (language === 'en') return undefined
  const own = Object.hasOwn(SAYINGS, english) ? SAYINGS[english]?.[language] : undefined
  return own ?? termOf(english)
}

/** What messages call it: a thing has one name. */
function termOf(english: string): string | undefined {
  const { language } = viewer()
  return OWN_TERMS[language]?.get(english)
}

/** The names that messages have for things, each as it stands above them. */
function termsOf({ buttons, labels, links, watched }: Terms): readonly string[] {
  const things = Object.values(watched).flatMap(({ many, one }) => [one, many])
  return [...Object.values(labels), ...Object.values(links), buttons.acknowledge, ...things.map(capitalised)]
}

const ENGLISH_TERMS = termsOf(ENGLISH)
const OWN_TERMS = Object.fromEntries(
  LANGUAGES.map((language) => {
    const own = termsOf(wordingOf({ language, timeZone: null }).terms)
    return [language, new Map(ENGLISH_TERMS.map((term, nth) => [term, own[nth] ?? term]))]
  }),
)

/** The text with a capital at its beginning. */
export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
