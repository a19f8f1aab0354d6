import { Liquid, type Template } from 'liquidjs'
import type { JsonObject } from '../model/json.ts'
import { WORD_FILTERS } from './words/word-filters.ts'

/** A template that parsed. */
export type Compiled = readonly Template[]

export const MOST_TEMPLATE_CHARACTERS = 100_000
const MOST_RENDER_MS = 500
const MOST_MEMORY = 2_000_000

/** Nothing that reads other templates. */
const TAGS: ReadonlySet<string> = new Set(
  '# assign break capture case comment continue cycle decrement echo for if increment liquid raw unless'.split(' '),
)

/**
 * Linear in what they are given, and accounted for by the bounds. None escapes or unescapes: that depends on where the text
 * goes, which a template does not know.
 */
const FILTERS: ReadonlySet<string> = new Set(
  [
    'abs at_least at_most ceil divided_by floor minus modulo plus round times',
    'append capitalize downcase lstrip prepend remove remove_first remove_last replace replace_first replace_last rstrip',
    'size slice split squish strip strip_newlines truncate truncatewords upcase url_encode',
    'array_to_sentence_string compact concat find find_index first group_by has join last map reject reverse sort',
    'sort_natural sum uniq where',
    'date default json',
  ].flatMap((names) => names.split(' ')),
)

/**
 * Liquid templates in a sandbox: no files and no other templates, own properties only, bounds on size, time and memory.
 * Every value put out passes `escape`; the template's own text does not.
 */
export class LiquidEngine {
  readonly #engine: Liquid

  constructor(escape: (text: string) => string) {
    this.#engine = new Liquid({
      ownPropertyOnly: true,
      strictFilters: true,
      lenientIf: true,
      templates: {},
      dynamicPartials: false,
      parseLimit: MOST_TEMPLATE_CHARACTERS,
      renderLimit: MOST_RENDER_MS,
      memoryLimit: MOST_MEMORY,
      timezoneOffset: 0,
      locale: 'en-GB',
      outputEscape: (value: unknown) => escape(textOf(value)),
    })
    const { tags } = this.#engine
    for (const name of Object.keys(tags)) if (!TAGS.has(name)) Reflect.deleteProperty(tags, name)
    for (const name of Object.keys(this.#engine.filters)) if (!FILTERS.has(name)) this.#engine.unregisterFilter(name)
    for (const [name, filter] of Object.entries(WORD_FILTERS)) this.#engine.registerFilter(name, filter)
  }

  /** Throws where the template is wrong. */
  compile(template: string): Compiled {
    return this.#engine.parse(template)
  }

  /** Throws where a bound is passed and, with `strict`, where a variable is not there. */
  render(template: Compiled, context: JsonObject, { strict }: { readonly strict: boolean }): string {
    return String(this.#engine.renderSync([...template], context, { strictVariables: strict }))
  }
}

/** Values come from records, and what `group_by` and its like make of them; a list or an object is shown as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
