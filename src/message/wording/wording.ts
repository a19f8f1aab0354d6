import type { Language, Reader } from '../../model/reader.ts'
import { ENGLISH } from '../languages/en/terms.ts'
import type { Terms } from '../languages/terms.ts'
import { TRANSLATIONS, withEnglish } from '../languages/translations.ts'

/** What it takes to say something to a reader. */
export interface Wording extends Reader {
  readonly terms: Terms
}

const TERMS: Readonly<Record<Language, Terms>> = {
  en: ENGLISH,
  de: withEnglish(TRANSLATIONS.de.terms),
  fr: withEnglish(TRANSLATIONS.fr.terms),
  nl: withEnglish(TRANSLATIONS.nl.terms),
  es: withEnglish(TRANSLATIONS.es.terms),
}

export function wordingOf({ language, timeZone }: Reader): Wording {
  return { language, timeZone, terms: TERMS[language] }
}

/** The wording for a text that is in `language`, on the reader's clock. */
export function inLanguage(wording: Wording, language: Language): Wording {
  return wording.language === language ? wording : wordingOf({ ...wording, language })
}

/** English, dates in the offset that they were sent with: how the desk and commands show records. */
export const AS_SENT: Wording = { language: 'en', timeZone: null, terms: ENGLISH }

/** The languages' own numbers, dates and plurals; British, where it is English. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', fr: 'fr', nl: 'nl', es: 'es' }

export function localeOf({ language }: Pick<Reader, 'language'>): string {
  return LOCALES[language]
}

/** A text of a catalogue with values for its `{names}`. What stands in a value stays as it is. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name)
}
