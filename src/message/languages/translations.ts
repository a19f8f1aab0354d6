import { GERMAN_LINES } from './de/lines.ts'
import { GERMAN_SENTENCES } from './de/sentences.ts'
import { GERMAN } from './de/terms.ts'
import { ENGLISH } from './en/terms.ts'
import { SPANISH_LINES } from './es/lines.ts'
import { SPANISH_SENTENCES } from './es/sentences.ts'
import { SPANISH } from './es/terms.ts'
import { FRENCH_LINES } from './fr/lines.ts'
import { FRENCH_SENTENCES } from './fr/sentences.ts'
import { FRENCH } from './fr/terms.ts'
import { DUTCH_LINES } from './nl/lines.ts'
import { DUTCH_SENTENCES } from './nl/sentences.ts'
import { DUTCH } from './nl/terms.ts'
import type { Terms } from './terms.ts'
import type { TranslatedLanguage, TranslatedTerms, Translation } from './translation.ts'

/** English is in `phrases`, beside the tones, and in `languages/en`. */
export const TRANSLATIONS: Readonly<Record<TranslatedLanguage, Translation>> = {
  de: { sentences: GERMAN_SENTENCES, lines: GERMAN_LINES, terms: GERMAN },
  fr: { sentences: FRENCH_SENTENCES, lines: FRENCH_LINES, terms: FRENCH },
  nl: { sentences: DUTCH_SENTENCES, lines: DUTCH_LINES, terms: DUTCH },
  es: { sentences: SPANISH_SENTENCES, lines: SPANISH_LINES, terms: SPANISH },
}

/** The terms of a language, and English ones where it lags behind. */
export function withEnglish(own: TranslatedTerms): Terms {
  return {
    ...ENGLISH,
    ...own,
    labels: { ...ENGLISH.labels, ...own.labels },
    words: { ...ENGLISH.words, ...own.words },
    watched: { ...ENGLISH.watched, ...own.watched },
    milestones: { ...ENGLISH.milestones, ...own.milestones },
    counts: { ...ENGLISH.counts, ...own.counts },
    tones: { ...ENGLISH.tones, ...own.tones },
    links: { ...ENGLISH.links, ...own.links },
    buttons: { ...ENGLISH.buttons, ...own.buttons },
    dates: { ...ENGLISH.dates, ...own.dates },
    money: { ...ENGLISH.money, ...own.money },
    tracking: { ...ENGLISH.tracking, ...own.tracking },
    summary: { ...ENGLISH.summary, ...own.summary },
    reminder: { ...ENGLISH.reminder, ...own.reminder },
    test: { ...ENGLISH.test, ...own.test },
    mail: { ...ENGLISH.mail, ...own.mail },
  }
}
