import { ENGLISH } from '../../src/message/languages/en/terms.ts'
import type { TranslatedTerms, Translation } from '../../src/message/languages/translation.ts'
import { TRANSLATIONS } from '../../src/message/languages/translations.ts'
import { LINE_PHRASES } from '../../src/message/phrases/line-phrases.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { PHASES } from '../../src/model/phase.ts'

/** Words that every language shall have: statuses of shipments and of tracking, and each word that another language has. */
const WORDS: ReadonlySet<string> = new Set([
  ...PHASES,
  'in_transit',
  'arrived',
  'delivered',
  ...Object.values(TRANSLATIONS).flatMap(({ terms }) => Object.keys(terms.words ?? {})),
])

/** What a language leaves to English, by the path of its key: `sentences/shipment.rolled`, `terms/labels/route`. */
export function translationGaps({ lines, sentences, terms }: Translation): readonly string[] {
  return [
    ...missing(
      EVENT_CATALOGUE.map(({ type }) => type),
      sentences,
    ).map((type) => `sentences/${type}`),
    ...missing(Object.keys(LINE_PHRASES), lines).map((type) => `lines/${type}`),
    ...missing(WORDS, terms.words).map((word) => `terms/words/${word}`),
    ...missingTerms(terms).map((path) => `terms/${path}`),
  ]
}

function missingTerms(terms: TranslatedTerms): readonly string[] {
  const own: Readonly<Record<string, string | object>> = terms
  return Object.entries(ENGLISH).flatMap(([part, english]: [string, string | object]) => {
    const said = own[part]
    if (said === undefined) return [part]
    if (typeof english === 'string' || typeof said === 'string') return []
    return missing(Object.keys(english), said).map((key) => `${part}/${key}`)
  })
}

function missing(keys: Iterable<string>, said: object = {}): readonly string[] {
  return [...keys].filter((key) => !Object.hasOwn(said, key))
}
