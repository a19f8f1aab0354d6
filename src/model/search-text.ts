import { comparable } from './folded-text.ts'
import { LONGEST_TEXT, searchTerm, wholeTerm, type SearchTerms } from './search-terms.ts'

/** Three characters: from so many on a word is found within a term; a shorter one only where a term begins with it. */
const PART = /^.{3}/su
/** How many three-character parts of one text an index is asked for. What it finds is judged by all of the text. */
const MOST_GRAMS = 12
/** How many parts of one word say roughly whether few have it. */
const LAST_GRAMS = 4
const MOST_GRAMS_IN_ALL = 48
const WHOLE_BEGIN = 3

/** What somebody searches for, as terms are compared. */
export interface SearchText {
  /** The words, each as a term and once: all of them are to be found. */
  readonly words: readonly string[]
  /** All of the text as one term; null: it is too long for one. */
  readonly whole: string | null
}

const AROUND = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu

/** What is searched for by a text as it was typed; null: nothing that anything could be found by. */
export function readSearch(typed: string): SearchText | null {
  const all = typed.slice(0, LONGEST_TEXT).split(/\s+/).map(searchedTerm)
  const said = all.map((word) => word.replaceAll(AROUND, '')).filter((word) => word !== '')
  const words = new Set(said.length > 0 ? said : all.filter((word) => word !== ''))
  const whole = wholeTerm(typed)
  return words.size === 0 ? null : { words: [...words], whole: whole === null ? null : comparable(whole) }
}

function searchedTerm(text: string): string {
  return comparable(searchTerm(text))
}

/** Whether a record with these terms is found: by each word, or by the text as a whole, written as one word. */
export function isFoundBy({ whole, words }: SearchText, { shared, terms }: SearchTerms): boolean {
  const all = [...terms, ...shared].map(comparable)
  if (words.every((word) => isWithin(word, all))) return true
  return whole !== null && isWithin(whole, all)
}

function isWithin(word: string, terms: readonly string[]): boolean {
  const isPart = hasParts(word)
  return terms.some((term) => (isPart ? term.includes(word) : term.startsWith(word)))
}

/** Whether a word is found within others, not only at their beginnings. */
export function hasParts(word: string): boolean {
  return PART.test(word)
}

/*
 * An index knows of a record which parts of three characters its document has. In the document terms stand between two spaces, which
 * no term has: a part with spaces says how a term begins or ends. Behind them stand the id, the account and the resource, each with a
 * mark of its own from the private use area, so that one index answers for all accounts.
 */
const EDGE = '  '
const ID_MARK = '\uf8ff'

interface SearchedRecord extends SearchTerms {
  readonly account: string
  readonly resource: string
  readonly id: string
}

/** The text whose parts of three characters an index knows of a record. */
export function searchDocument({ account, id, resource, shared, terms }: SearchedRecord): string {
  const ends = [`${ID_MARK}${searchTerm(id)}`, markOf('account', account), markOf('resource', resource)]
  return comparable(`${EDGE}${[...terms, ...shared, ...ends].join(EDGE)}${EDGE}`)
}

/** Three characters that stand for an account or a resource. Others may have the same: what is found is looked at again. */
export function markOf(kind: 'account' | 'resource', name: string): string {
  let hash = 0x811c9dc5
  for (const character of `${kind} ${name}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return String.fromCodePoint(0xe000 + (hash & 0x7ff), 0xe800 + ((hash >>> 11) & 0x7ff), 0xf000 + (hash >>> 22))
}

/** The parts of three characters of a text. */
export function gramsOf(text: string): ReadonlySet<string> {
  const characters = Array.from(text)
  const grams = new Set<string>()
  for (let at = 2; at < characters.length; at += 1)
    grams.add(`${characters[at - 2]}${characters[at - 1]}${characters[at]}`)
  return grams
}

/** Parts that a document has to have: all of one of the lists. */
export type GramChoice = readonly (readonly string[])[]

/**
 * What may be found, the best first: whose id is the text, who has a term that is the text, who has one that begins with it, and the
 * others. Of these last three, what is in one is in no other: the parts say so. What they let through is still judged by `isFoundBy`.
 */
export interface SearchLevel {
  readonly within: GramChoice
  /** Parts of which the document may not have all: those of the level before; null: there is none. */
  readonly without: readonly string[] | null
  /** Whether only records whose id is the text are meant, which are in no other level then. */
  readonly isOfIds: boolean
}

export function searchLevels(text: SearchText): readonly SearchLevel[] {
  const { whole } = text
  const within = withinOf(text, (word) => some(wordPart(word)))
  if (whole === null) return [{ within, without: null, isOfIds: false }]
  const begins = some(`${EDGE}${whole}`)
  const equals = [...begins, ...[...gramsOf(`${whole}${EDGE}`)].slice(-2)]
  return [
    { within: [[...equals, ...some(`${ID_MARK}${whole}${EDGE}`)]], without: null, isOfIds: true },
    { within: [equals], without: null, isOfIds: false },
    { within: [begins], without: equals, isOfIds: false },
    // A short word alone leaves nothing for this level.
    ...(within.every((grams) => begins.every((gram) => grams.includes(gram)))
      ? []
      : [{ within, without: begins, isOfIds: false }]),
  ]
}

/**
 * Whatever is in any level. It asks for the last parts of each word: an index goes through all that have the commonest of the parts
 * it is asked for, and numbers and names begin alike.
 */
export function searchReach(text: SearchText): SearchLevel {
  const within = withinOf(text, (word) => [...gramsOf(wordPart(word))].slice(-LAST_GRAMS))
  return { within, without: null, isOfIds: false }
}

/** The parts of all words, or of the text written as one word where that may be found without each of them. */
function withinOf({ whole, words }: SearchText, partsOf: (word: string) => readonly string[]): GramChoice {
  const inWords = [...new Set(words.flatMap(partsOf))].slice(0, MOST_GRAMS_IN_ALL)
  const isLoose = whole !== null && words.some((word) => word !== whole && !hasParts(word))
  return isLoose ? [inWords, partsOf(whole)] : [inWords]
}

/** Whether an id is the text that is searched for. */
export function isIdSearched({ whole }: SearchText, id: string): boolean {
  return whole !== null && searchedTerm(id) === whole
}

/** Whether a document is in a level. */
export function isInLevel({ within, without }: Omit<SearchLevel, 'isOfIds'>, grams: ReadonlySet<string>): boolean {
  const hasAll = (wanted: readonly string[]): boolean => wanted.every((gram) => grams.has(gram))
  return within.some(hasAll) && (without === null || !hasAll(without))
}

/** What of a word every document has that is found by it. */
function wordPart(word: string): string {
  return hasParts(word) ? word : `${EDGE}${word}`
}

/** Parts of a text that cover all of it, where it is not too long: every third one and the last. How it begins is asked for whole. */
function some(text: string): readonly string[] {
  const grams = [...gramsOf(text)]
  const last = grams.length - 1
  return grams
    .filter((_, at) => at === last || (at < WHOLE_BEGIN && text.startsWith(EDGE)) || at % 3 === 0)
    .slice(0, MOST_GRAMS)
}
