import type { Language } from '../../model/reader.ts'
import { phraseOf } from '../phrases/phrases.ts'
import { GERMAN_SENTENCES } from './de/sentences.ts'
import { SPANISH_SENTENCES } from './es/sentences.ts'
import { FRENCH_SENTENCES } from './fr/sentences.ts'
import { DUTCH_SENTENCES } from './nl/sentences.ts'

/** English is in `phrases`, beside the tones. */
const SENTENCES: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = {
  de: GERMAN_SENTENCES,
  fr: FRENCH_SENTENCES,
  nl: DUTCH_SENTENCES,
  es: SPANISH_SENTENCES,
}

/** The template of a type; of one that this version does not know, what says the least. */
export function sayingOf(type: string, language: Language): string {
  const { say } = phraseOf(type)
  if (language === 'en') return say
  const sentences = SENTENCES[language]
  return (Object.hasOwn(sentences, type) ? sentences[type] : undefined) ?? say
}
