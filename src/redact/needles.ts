import { allSteps, stepsInTurns } from '../clock.ts'
import { unescape } from './unescape.ts'
import type { Span } from './views.ts'

/** How many characters of each needle are looked up in an index. */
const GRAM = 4
/** Shorter ones are found in ordinary words: only a word of its own is taken for such a secret. */
const SHORTEST_ANYWHERE = 8
/** The place of the indexed characters is chosen among so many. */
const MOST_PLACES = 64
/** A filter has so many bytes for each needle, that few texts find one taken by chance; a power of two, within these bounds. */
const FILTER_EACH = 32
const [SMALLEST_FILTER, LARGEST_FILTER] = [0x100, 0x10000]
/** What a byte of the filter says there may be. */
const INSIDE = 1
const BEGINNING = 2
const WORD = /[\p{L}\p{N}]/u

interface Entry {
  readonly needle: string
  /** Where in the needle the indexed characters begin. */
  readonly offset: number
}

type Index = Map<number, Entry[]>

/**
 * What to look for: the forms of secrets. A text is looked through once, however many there are: four characters of each
 * needle are indexed, few of them twice.
 */
export class Needles {
  readonly #tiny: string[] = []
  readonly #inside: Index = new Map()
  readonly #beginnings: Index = new Map()
  /** Most texts hold none of what is indexed: a byte tells so sooner than a map. */
  readonly #filter: Uint8Array
  #longest = 0

  private constructor(amount: number) {
    this.#filter = new Uint8Array(filterSize(amount))
  }

  static of(secrets: readonly string[]): Needles {
    return allSteps(Needles.#making(secrets))
  }

  /** The needles of many secrets, made secret by secret: `letOthers` is called between them. */
  static async inTurns(secrets: readonly string[], letOthers: () => Promise<void>): Promise<Needles> {
    return await stepsInTurns(Needles.#making(secrets), letOthers)
  }

  static *#making(secrets: readonly string[]): Generator<undefined, Needles> {
    const forms = new Set<string>()
    for (const secret of secrets) {
      for (const form of formsOf(secret)) forms.add(form)
      yield
    }
    const needles = new Needles(forms.size)
    for (const form of forms) {
      needles.#add(form)
      yield
    }
    return needles
  }

  /** Where needles stand in a text; short ones only where no word goes on. In no order, and they may overlap. */
  find(text: string): readonly Span[] {
    const spans: Span[] = this.#tiny.flatMap((needle) => placesOf(text, needle))
    let hash = 0
    for (let index = 0; index < text.length; index += 1) {
      hash = (hash << 8) ^ text.charCodeAt(index)
      if (index < GRAM - 1 || !this.#mayHold(hash, INSIDE)) continue
      for (const { needle, offset } of this.#inside.get(hash) ?? []) {
        const start = index - (GRAM - 1) - offset
        const span = { start, end: start + needle.length }
        if (start >= 0 && text.startsWith(needle, start) && standsOut(text, needle, span)) spans.push(span)
      }
    }
    return spans
  }

  /** Where one begins that the end of the text has cut off; null: nowhere. */
  cutOffAt(text: string): number | null {
    const from = Math.max(0, text.length - this.#longest + 1)
    let hash = 0
    for (let index = from; index < text.length; index += 1) {
      hash = (hash << 8) ^ text.charCodeAt(index)
      const start = index - (GRAM - 1)
      if (start < from || !this.#mayHold(hash, BEGINNING)) continue
      if (this.#beginnings.get(hash)?.some(({ needle }) => isCutOff(text, needle, start)) === true) return start
    }
    return null
  }

  #mayHold(hash: number, what: number): boolean {
    return ((this.#filter[this.#placeOf(hash)] ?? 0) & what) !== 0
  }

  #add(needle: string): void {
    if (needle.length < GRAM) {
      if (needle !== '') this.#tiny.push(needle)
      return
    }
    this.#longest = Math.max(this.#longest, needle.length)
    const offset = this.#rarest(needle)
    const hash = gramAt(needle, offset)
    entriesAt(this.#inside, hash).push({ needle, offset })
    this.#note(hash, INSIDE)
    const beginning = gramAt(needle, 0)
    entriesAt(this.#beginnings, beginning).push({ needle, offset: 0 })
    this.#note(beginning, BEGINNING)
  }

  #note(hash: number, what: number): void {
    const place = this.#placeOf(hash)
    this.#filter[place] = (this.#filter[place] ?? 0) | what
  }

  #placeOf(hash: number): number {
    return (hash ^ (hash >>> 16)) & (this.#filter.length - 1)
  }

  /** Many secrets begin alike (`https://`, `whsec_`): a text full of that must not be compared with all of them. */
  #rarest(needle: string): number {
    const last = needle.length - GRAM
    let best = { offset: last, others: Number.POSITIVE_INFINITY }
    for (let offset = last; offset >= 0 && offset > last - MOST_PLACES && best.others > 0; offset -= 1) {
      const others = this.#inside.get(gramAt(needle, offset))?.length ?? 0
      if (others < best.others) best = { offset, others }
    }
    return best.offset
  }
}

/** A secret as it may be put into an answer, beyond what unescaping undoes. */
function formsOf(secret: string): readonly string[] {
  const spaces = [secret, secret.replaceAll(' ', '+'), secret.replaceAll('+', ' ')]
  return [...new Set(spaces)].flatMap(unescapedForms).concat(base64Forms(secret))
}

/** What holds something like an escape is unescaped with the text around it. */
function unescapedForms(secret: string): readonly string[] {
  const forms = [secret]
  for (let next = unescape(secret); next !== null; next = unescape(next.text)) forms.push(next.text)
  return forms
}

/** What base64 makes of a secret wherever it begins: of each of the three places, the digits that depend on the secret alone. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  if (bytes.length < SHORTEST_ANYWHERE) return []
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const certain = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function placesOf(text: string, needle: string): readonly Span[] {
  const spans: Span[] = []
  for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1)) {
    const span = { start, end: start + needle.length }
    if (standsOut(text, needle, span)) spans.push(span)
  }
  return spans
}

function standsOut(text: string, needle: string, { start, end }: Span): boolean {
  return needle.length >= SHORTEST_ANYWHERE || !(isInWord(text, start) || isInWord(text, end))
}

function isCutOff(text: string, needle: string, start: number): boolean {
  if (needle.length <= text.length - start || !needle.startsWith(text.slice(start))) return false
  return needle.length >= SHORTEST_ANYWHERE || !isInWord(text, start)
}

/** Whether a word goes on across the boundary before `index`. */
function isInWord(text: string, index: number): boolean {
  return WORD.test(text.charAt(index - 1)) && WORD.test(text.charAt(index))
}

/** The gram that the loop over a whole text has at `start`: what is older has been shifted out. */
function gramAt(text: string, start: number): number {
  let hash = 0
  for (let index = start; index < start + GRAM; index += 1) hash = (hash << 8) ^ text.charCodeAt(index)
  return hash
}

function filterSize(needles: number): number {
  const size = 2 ** Math.ceil(Math.log2(needles * FILTER_EACH + 1))
  return Math.min(Math.max(size, SMALLEST_FILTER), LARGEST_FILTER)
}

function entriesAt(index: Index, hash: number): Entry[] {
  const entries = index.get(hash) ?? []
  index.set(hash, entries)
  return entries
}
