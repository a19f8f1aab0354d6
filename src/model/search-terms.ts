import { fold } from './folded-text.ts'
import { rawEqual, type JsonObject } from './json.ts'
import type { RecordResource } from './resource.ts'
import { MOST_LISTED, SEARCHED_PARTS, shipmentParts, textsOf } from './searched-texts.ts'

/** The most terms of one record: what a person could still mean. More cost a write each. */
const MOST_TERMS = MOST_LISTED
const MOST_WORDS = 24
const LONGEST_TERM = 64
/** The longest text: nothing beyond it is looked at. */
export const LONGEST_TEXT = 1_000

const PLAIN = /^[\u0020-\u007e]*$/
export const GAPS = /[\s\p{Pd}]+/gu
const WORD = /[^\s\p{P}\p{S}]+/gu

/** What a record is found by. */
export interface SearchTerms {
  /** What names it: its id, its names, its references and the shipments that it names. */
  readonly terms: readonly string[]
  /** What it shares with many others: its carrier, its vessel, its ports. */
  readonly shared: readonly string[]
}

/**
 * A text as it is searched: without case, accents, spaces and dashes, so that `MSCU 123456-7` finds `mscu1234567`. What is nothing
 * else is kept.
 */
export function searchTerm(text: string): string {
  return cut(folded(text))
}

/** `searchTerm` of a text; null where that is not all of it. */
export function wholeTerm(text: string): string | null {
  const term = folded(text)
  return term.length > LONGEST_TERM || text.length > LONGEST_TEXT ? null : term
}

function folded(text: string): string {
  const head = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text
  const plain = PLAIN.test(head) ? head.toLowerCase() : fold(head)
  const compact = plain.replaceAll(GAPS, '')
  return compact === '' ? plain.trim() : compact
}

function cut(text: string): string {
  return text.length > LONGEST_TERM ? text.slice(0, LONGEST_TERM).toWellFormed().replaceAll('\ufffd', '') : text
}

/** What names a record, each once, sorted. */
export function searchTermsOf(resource: RecordResource, id: string, record: JsonObject | null): readonly string[] {
  const names = textsOf('names', resource, record ?? {})
  return termsOf([id, ...names, ...textsOf('references', resource, record ?? {}), ...names.flatMap(wordsOf)])
}

/** What a record is found by that it shares with others. */
export function sharedTermsOf(resource: RecordResource, record: JsonObject | null): readonly string[] {
  return termsOf(textsOf('shared', resource, record ?? {}).flatMap((text) => [text, ...wordsOf(text)]))
}

function termsOf(texts: readonly string[]): readonly string[] {
  const terms = new Set<string>()
  for (const text of texts) {
    if (terms.size >= MOST_TERMS) break
    const term = searchTerm(text)
    if (term !== '') terms.add(term)
  }
  return [...terms].toSorted()
}

/** Whether what is searched for is the same text for text in two readings of a record: then so are their terms, which cost more. */
export function haveSameTerms(resource: RecordResource, one: JsonObject, other: JsonObject): boolean {
  // Hardly any change of a shipment is of its references: no list of them is made to see that.
  if (resource === 'shipment' && rawEqual(shipmentParts(one), shipmentParts(other))) return true
  return SEARCHED_PARTS.every((part) => areSame(textsOf(part, resource, one), textsOf(part, resource, other)))
}

function areSame(texts: readonly string[], others: readonly string[]): boolean {
  return texts.length === others.length && texts.every((text, index) => text === others[index])
}

/** A name from each of its words on: it is found by the beginning of any of them. */
function wordsOf(text: string): readonly string[] {
  const head = text.slice(0, LONGEST_TEXT)
  return [...head.matchAll(WORD)].slice(0, MOST_WORDS).map(({ index }) => head.slice(index))
}
