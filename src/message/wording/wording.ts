import type { Language, Reader } from '../../model/reader.ts'
import { GERMAN } from '../languages/de/terms.ts'
import { ENGLISH } from '../languages/en/terms.ts'
import { SPANISH } from '../languages/es/terms.ts'
import { FRENCH } from '../languages/fr/terms.ts'
import { DUTCH } from '../languages/nl/terms.ts'
import type { Terms } from '../languages/terms.ts'

/** What it takes to say something to a reader. */
export interface Wording extends Reader {
  readonly terms: Terms
}

const TERMS: Readonly<Record<Language, Terms>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  nl: DUTCH,
  es: SPANISH,
}

export function wordingOf({ language, timeZone }: Reader): Wording {
  return { language, timeZone, terms: TERMS[language] }
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
