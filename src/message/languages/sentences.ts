import { eventTypeInfo } from '../../model/event-catalogue.ts'
import type { Language } from '../../model/reader.ts'
import { LINE_PHRASES } from '../phrases/line-phrases.ts'
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

/** The template that says a type below the name of its shipment; one that has none names something else, and is told by its sentence. */
export function lineSayingOf(type: string, language: Language): Saying {
  const english: Readonly<Record<string, string>> = LINE_PHRASES
  const own: Readonly<Record<string, string>> = language === 'en' ? english : TRANSLATIONS[language].lines
  const [said, fallback] = [own, english].map((lines) => (Object.hasOwn(lines, type) ? lines[type] : undefined))
  if (said !== undefined) return { say: said, language }
  return fallback === undefined ? sayingOf(type, language) : { say: fallback, language: 'en' }
}
