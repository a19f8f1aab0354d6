import { comparable, fold } from './folded-text.ts'
import { GAPS, LONGEST_TEXT } from './search-terms.ts'
import { hasParts, type SearchText } from './search-text.ts'
import type { SearchedText } from './searched-texts.ts'

/** A part of a text, and whether it is what was searched for. */
export interface MarkedPart {
  readonly text: string
  readonly isMarked: boolean
}

/** The texts of a record by which it is found, each once, in the order of what was searched for. */
export function searchMatches({ whole, words }: SearchText, texts: readonly SearchedText[]): readonly SearchedText[] {
  const compact = texts.map((each) => ({ each, folded: compactOf(each.text) }))
  const best = (word: string): SearchedText | undefined =>
    compact
      .flatMap(({ each, folded }) => {
        const [first] = placesOf(folded, word)
        return first === undefined ? [] : [{ each, rank: folded.text === word ? -1 : first }]
      })
      .toSorted((one, other) => Math.min(one.rank, 1) - Math.min(other.rank, 1))[0]?.each
  const found = words.map(best)
  const all = found.includes(undefined) && whole !== null ? [best(whole)] : found
  return [...new Set(all.filter((each) => each !== undefined))]
}

/** A text in parts, of which those are marked that were searched for. */
export function markedParts({ whole, words }: SearchText, text: string): readonly MarkedPart[] {
  const folded = compactOf(text)
  const wanted = whole === null ? words : [whole, ...words]
  const ranges = wanted.flatMap((word) =>
    placesOf(folded, word).map((at) => [folded.begins[at] ?? 0, folded.ends[at + word.length - 1] ?? 0] as const),
  )
  const parts: MarkedPart[] = []
  let done = 0
  const take = (end: number, isMarked: boolean): void => {
    if (end > done) parts.push({ text: text.slice(done, end), isMarked })
    done = Math.max(done, end)
  }
  for (const [begin, end] of ranges.toSorted(([one], [other]) => one - other)) {
    take(begin, false)
    take(end, true)
  }
  take(text.length, false)
  return parts
}

/** A text as it is searched, and where each of its characters stands in the text. */
interface Compact {
  readonly text: string
  readonly begins: readonly number[]
  readonly ends: readonly number[]
  /** Whether a word begins at a character. */
  readonly isStart: readonly boolean[]
}

const BETWEEN = /^[\s\p{P}\p{S}]$/u

function compactOf(text: string): Compact {
  const [begins, ends, isStart]: [number[], number[], boolean[]] = [[], [], []]
  let folded = ''
  let at = 0
  let isBehindWord = false
  for (const character of text.slice(0, LONGEST_TEXT)) {
    const plain = comparable(fold(character)).replaceAll(GAPS, '')
    const end = at + character.length
    for (let unit = 0; unit < plain.length; unit += 1) {
      begins.push(at)
      ends.push(end)
      isStart.push(!isBehindWord && unit === 0)
    }
    // An accent that stands by itself goes with what it stands on.
    if (plain === '' && /^\p{M}$/u.test(character) && ends.length > 0) ends[ends.length - 1] = end
    else isBehindWord = !BETWEEN.test(character)
    folded += plain
    at = end
  }
  return { text: folded, begins, ends, isStart }
}

/** Where a word is found in a text. */
function placesOf({ isStart, text }: Compact, word: string): readonly number[] {
  const places: number[] = []
  const isPart = hasParts(word)
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
    if (isPart || isStart[at] === true) places.push(at)
  return places
}
