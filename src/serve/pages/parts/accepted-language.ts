import { LANGUAGES, type Language } from '../../../model/reader.ts'

/** More entries than any browser sends. */
const MOST = 50

/** A language by its tag, whatever region it names: `de-AT` is German; null: it is none that pages are written in. */
export function readLanguage(tag: string): Language | null {
  const [primary] = tag.trim().toLowerCase().split('-')
  return LANGUAGES.find((each) => each === primary) ?? null
}

/** The language that a browser would rather read (`Accept-Language`, RFC 9110, 12.5.4); English where none of its languages fits. */
export function acceptedLanguage(header: string): Language {
  const accepted = header.split(',', MOST).flatMap((entry) => {
    const [tag = '', ...parameters] = entry.split(';')
    const language = readLanguage(tag)
    const weight = weightOf(parameters)
    return language === null || weight === 0 ? [] : [{ language, weight }]
  })
  return accepted.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en'
}

function weightOf(parameters: readonly string[]): number {
  const [, weight] = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameters[0] ?? '') ?? []
  return weight === undefined ? 1 : Number(weight)
}
