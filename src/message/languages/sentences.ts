import { eventTypeInfo } from '../../model/event-catalogue.ts'
import type { Language } from '../../model/reader.ts'
import { phraseOf } from '../phrases/phrases.ts'
import { TRANSLATIONS } from './translations.ts'

/** A sentence as a template, and the language that all of it is in. */
export interface Saying {
  readonly say: string
  readonly language: Language
}

/**
 * The template of a type. A language that has none yet says it in English; a type that this version does not know is told by
 * what says the least, in any language.
 */
export function sayingOf(type: string, language: Language): Saying {
  const say = phraseOf(type)
  if (language === 'en') return { say, language }
  const sentences: Readonly<Record<string, string>> = TRANSLATIONS[language].sentences
  const own = Object.hasOwn(sentences, type) ? sentences[type] : undefined
  if (own !== undefined) return { say: own, language }
  return { say, language: eventTypeInfo(type) === undefined ? language : 'en' }
}
