import { Output, TagToken, TokenKind, type Template } from 'liquidjs'
import { LiquidEngine, type Compiled } from '../liquid.ts'
import { WORD_FILTERS } from '../words/word-filters.ts'
import { childrenOf, readsOf, type Reads } from './template-reads.ts'

/** Where two templates differ: all around it is the same in both, and so is what it renders. */
export interface DifferingPart {
  readonly old: string
  readonly new: string
  /** What these two parts are made of. */
  readonly reads: Reads
  /** Whether templates whose parts render differently do so as well: nothing of them fails, and what is around the parts is not nothing. */
  readonly tellsApart: boolean
}

/** What the templates are for: `message`, whose lines are read each for itself; `json`, whose values are put out by `json` alone; any `text`. */
export type TemplateUse = 'message' | 'json' | 'text'

/** The part in which two templates differ, cut out where it can be rendered for itself; null: it cannot be. Equal parts make equal texts. */
export function differingPart(old: string, other: string, use: TemplateUse): DifferingPart | null {
  if (KEEPS_STATE.test(old) || KEEPS_STATE.test(other)) return null
  const engine = new LiquidEngine((text) => text)
  const [before, after] = [old, other].map((source) => ({ source, templates: engine.compile(source) }))
  if (before === undefined || after === undefined) return null
  const start = lastCommon(
    [cutsOf(before, use), cutsOf(after, use)],
    commonLength([old, other].map((text) => text.split(''))),
  )
  const behind = commonLength([old, other].map((text) => text.slice(start).split('').toReversed()))
  const ends = [before, after].map((each) => cutsOf(each, use).map((cut) => each.source.length - cut))
  const end = lastCommon(ends, behind)
  const parts = [before, after].map(({ source }) => source.slice(start, source.length - end))
  const [oldPart = '', newPart = ''] = parts
  const isBeside = ({ token }: Template): boolean => token.end <= start || token.begin >= old.length - end
  return {
    old: oldPart,
    new: newPart,
    reads: readsOf(parts.map((part) => engine.compile(part))),
    tellsApart:
      [before, after].every(({ templates }) => neverFails(templates, use)) &&
      before.templates.some((each) => isBeside(each) && alwaysShows(each)),
  }
}

/** Tags that make one part of a template mean something in another. */
const KEEPS_STATE = /\b(?:assign|capture|increment|decrement|cycle|liquid|break|continue)\b/

/** Tags that fail on no value. */
const TAGS: ReadonlySet<string> = new Set(['#', 'case', 'comment', 'for', 'if', 'raw', 'unless'])
/** Filters that fail on no value: those of words, and a few of texts. `url_encode` does so on half of a character, which is for the caller to see. */
const FILTERS: ReadonlySet<string> = new Set([
  ...Object.keys(WORD_FILTERS),
  ...'append capitalize default downcase json lstrip prepend rstrip size squish strip truncate upcase url_encode'.split(
    ' ',
  ),
])

function neverFails(templates: Compiled, use: TemplateUse): boolean {
  return templates.every((each) => {
    if (each.token.kind === TokenKind.HTML) return true
    if (each instanceof Output) return isSafe(each, use)
    const name = each.token instanceof TagToken ? each.token.name : ''
    // What is JSON for one event is so for another where the same parts are put out for both.
    if (use === 'json') return name === 'comment' || name === '#'
    return TAGS.has(name) && filtersIn(each).every((filter) => FILTERS.has(filter)) && neverFails(childrenOf(each), use)
  })
}

function isSafe(output: Output, use: TemplateUse): boolean {
  const filters = filtersIn(output)
  return filters.every((filter) => FILTERS.has(filter)) && (use !== 'json' || filters.at(-1) === 'json')
}

/** The filters of what a node looks at, but for the engine's own escape. */
function filtersIn(template: Template): readonly string[] {
  return [...(template.arguments?.() ?? [])].flatMap((argument) =>
    'filters' in argument ? argument.filters.filter(({ name }) => /^\w+$/.test(name)).map(({ name }) => name) : [],
  )
}

/** The places at which a source may be cut: within its own text, for messages between two lines of it. */
function cutsOf({ source, templates }: { readonly source: string; readonly templates: Compiled }, use: TemplateUse) {
  const inside = templates.flatMap(({ token }) => {
    if (token.kind !== TokenKind.HTML) return []
    const [left, right] = [trimOf(token, 'trimLeft'), trimOf(token, 'trimRight')]
    const places = Array.from(
      { length: token.end - right - token.begin - left + 1 },
      (_, nth) => token.begin + left + nth,
    )
    return use === 'message' ? places.slice(1).filter((place) => source[place - 1] === '\n') : places
  })
  return [...new Set([0, ...inside, source.length])]
}

function trimOf(token: object, side: 'trimLeft' | 'trimRight'): number {
  return Number(Reflect.get(token, side) ?? 0)
}

/** The greatest place that both have, no further than `most`. */
function lastCommon([one = [], other = []]: readonly (readonly number[])[], most: number): number {
  const known = new Set(other)
  return Math.max(0, ...one.filter((place) => place <= most && known.has(place)))
}

/** How many characters two texts begin with alike. */
function commonLength([one = [], other = []]: readonly (readonly string[])[]): number {
  const length = one.findIndex((character, nth) => character !== other[nth])
  return length === -1 ? one.length : length
}

function alwaysShows({ token }: Template): boolean {
  if (token.kind === TokenKind.HTML) return /\S/.test(token.getText())
  return /^\{\{-?\s*sentence\s*-?\}\}$/.test(token.getText())
}
