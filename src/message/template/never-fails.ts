import { Output, TagToken, TokenKind, type Template } from 'liquidjs'
import type { Compiled } from '../liquid.ts'
import { WORD_FILTERS } from '../words/word-filters.ts'
import { childrenOf, readsOf } from './template-reads.ts'

/** Tags that fail on no value. */
const TAGS: ReadonlySet<string> = new Set(['#', 'assign', 'capture', 'case', 'comment', 'for', 'if', 'raw', 'unless'])
const ADDRESS = 'url_encode'
/** Filters that fail on no value: those of words, and a few of texts. `url_encode` does so on half of a character, which is for the caller to see. */
const FILTERS: ReadonlySet<string> = new Set([
  ...Object.keys(WORD_FILTERS),
  ...`append capitalize default downcase json lstrip prepend rstrip size squish strip truncate upcase ${ADDRESS}`.split(
    ' ',
  ),
])

/** Whether a template fails on no event, but for bounds and, in an address, for halves of characters beside the record. */
export function neverFails(templates: Compiled): boolean {
  return templates.every((each) => {
    if (each.token.kind === TokenKind.HTML) return true
    const name = each.token instanceof TagToken ? each.token.name : ''
    const isKnown = each instanceof Output || TAGS.has(name)
    return isKnown && filtersIn(each).every((filter) => FILTERS.has(filter)) && isSafe(each)
  })
}

function isSafe(template: Template): boolean {
  if (filtersIn(template).includes(ADDRESS) && readsOf([[template]]).records) return false
  return neverFails(childrenOf(template))
}

/** Whether a template puts something in an address, which half of a character cannot be. */
export function makesAddresses(source: string): boolean {
  return source.includes(ADDRESS)
}

/** The filters of what a node looks at, but for the engine's own escape. */
export function filtersIn(template: Template): readonly string[] {
  return [...(template.arguments?.() ?? [])].flatMap((argument) =>
    'filters' in argument ? argument.filters.filter(({ name }) => /^\w+$/.test(name)).map(({ name }) => name) : [],
  )
}
