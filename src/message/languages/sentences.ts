import type { EventType } from '../../model/event-catalogue.ts'
import type { Language } from '../../model/reader.ts'
import { phraseOf } from '../phrases/phrases.ts'

/** The sentence of every event type in one language, as Liquid templates over what English phrases see. */
export type Sentences = Readonly<Record<EventType, string>>

const SENTENCES: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = {
  de: {},
  fr: {},
  nl: {},
  es: {},
}

/** The template of a type; of one that this version does not know, what says the least. */
export function sayingOf(type: string, language: Language): string {
  const { say } = phraseOf(type)
  if (language === 'en') return say
  const sentences = SENTENCES[language]
  return (Object.hasOwn(sentences, type) ? sentences[type] : undefined) ?? say
}
