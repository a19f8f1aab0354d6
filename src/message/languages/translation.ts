import type { EventType } from '../../model/event-catalogue.ts'
import type { Language } from '../../model/reader.ts'
import type { KnownWord } from './known-words.ts'
import type { Terms } from './terms.ts'

export type TranslatedLanguage = Exclude<Language, 'en'>

/**
 * What one language says of its own. It may lag behind English, which says the rest: a sentence that is missing is an English
 * one from its first word to its last, and a term that is missing is the English term. A release lacks nothing (a test asks).
 */
export interface Translation {
  readonly sentences: TranslatedSentences
  /** Sentences below the name of a shipment, which they do not repeat. */
  readonly lines: TranslatedSentences
  readonly terms: TranslatedTerms
}

/** The sentences of event types in one language, as Liquid templates over what English phrases see. */
export type TranslatedSentences = Readonly<Partial<Record<EventType, string>>>

/** The terms of one language; a text or an entry that is missing is the English one. */
export type TranslatedTerms = {
  readonly [Part in Exclude<keyof Terms, 'words'>]?: Terms[Part] extends string
    ? string
    : Readonly<Partial<Terms[Part]>>
} & { readonly words?: TranslatedWords }

/** Words of the platform in one language; a word that is missing is shown as the platform's own, which is English. */
export type TranslatedWords = Readonly<Partial<Record<KnownWord, string>>>
