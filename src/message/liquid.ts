import {
  CaptureTag,
  ForTag,
  Liquid,
  type Context,
  type FilterImplOptions,
  type TagToken,
  type Template,
} from 'liquidjs'
import { type Json, type JsonObject, withWholeCharacters } from '../model/json.ts'
import { straightenValues } from './straight-values.ts'
import { WORD_FILTERS } from './words/word-filters.ts'
import { AS_SENT, localeOf, type Wording } from './wording/wording.ts'

/** A template that parsed. */
export type Compiled = readonly Template[]

export const MOST_TEMPLATE_CHARACTERS = 100_000
/** Characters that values take and loops go over: some tenths of a second, and the same on any machine. */
export const MOST_WORK = 2_000_000

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
    'first last',
    'default json',
  ].flatMap((names) => names.split(' ')),
)

/** The filters that look at each item of a list, which takes as long as many characters. */
const LIST_FILTERS: readonly string[] = [
  'array_to_sentence_string compact concat find find_index group_by has join map reject reverse sort sort_natural',
  'sum uniq where',
].flatMap((names) => names.split(' '))
const ITEM = 16

/** The filters that escape: bodies alone have them, whose media type says where their text goes. */
const ESCAPES: readonly string[] = ['escape', 'escape_once']

interface EngineOptions {
  /** Characters that values take and loops go over; left out: as many as there are, for templates of this program, which are linear. */
  readonly mostWork?: number
  /**
   * Whether a body is made: `json` puts out JSON as it is, and `null` for what is missing; what is captured is escaped where it is put
   * out; and a template may escape for XML and HTML itself.
   */
  readonly makesBodies?: boolean
}

interface RenderOptions {
  readonly strict: boolean
  /** How things are said; left out: in English, dates as they were sent. */
  readonly wording?: Wording
}

/**
 * Liquid templates in a sandbox: no files and no other templates, own properties only, bounds on size and on work. Work is
 * counted, not timed: a busy machine cuts nothing off that an idle one renders. No clock is read that anything depends on: the
 * library's bound on time is without end, and `now` is the instant of the event.
 * Every value put out passes `escape`; the template's own text does not.
 */
export class LiquidEngine {
  readonly #engine: Liquid
  /** The wording of the render under way: one ends before the next begins. */
  #wording = AS_SENT

  /** The captures that the render under way is in. */
  readonly #captures = { open: 0 }

  constructor(
    escape: (text: string) => string,
    { makesBodies = false, mostWork = Number.POSITIVE_INFINITY }: EngineOptions = {},
  ) {
    this.#engine = new Liquid({
      ownPropertyOnly: true,
      strictFilters: true,
      lenientIf: true,
      templates: {},
      dynamicPartials: false,
      parseLimit: MOST_TEMPLATE_CHARACTERS,
      memoryLimit: mostWork,
      outputEscape: (value: unknown) => (this.#captures.open > 0 ? textOf(value) : escape(textOf(value))),
    })
    const { tags } = this.#engine
    for (const name of Object.keys(tags)) if (!TAGS.has(name)) Reflect.deleteProperty(tags, name)
    const { filters } = this.#engine
    const metered = LIST_FILTERS.map((name): [string, FilterImplOptions] => [name, meteredByItem(filters[name])])
    const [date, json] = [ofTheEvent(filters['date']), filters['json']]
    const escapes = makesBodies ? ESCAPES : []
    for (const name of Object.keys(filters))
      if (!FILTERS.has(name) && !escapes.includes(name)) this.#engine.unregisterFilter(name)
    for (const [name, filter] of metered) this.#engine.registerFilter(name, filter)
    this.#engine.registerFilter('date', date)
    this.#engine.registerTag('for', MeteredForTag)
    if (makesBodies) {
      this.#engine.registerFilter('json', { raw: true, handler: ofMissingToo(json) })
      this.#engine.registerTag('capture', captureWithin(this.#captures))
    }
    for (const [name, filter] of Object.entries(WORD_FILTERS))
      this.#engine.registerFilter(name, (value: Json | undefined) => filter(value, this.#wording))
  }

  /** Throws where the template is wrong. */
  compile(template: string): Compiled {
    const compiled = this.#engine.parse(template)
    straightenValues(compiled)
    return compiled
  }

  /** Throws where a bound is passed and, with `strict`, where a variable is not there. */
  render(template: Compiled, context: JsonObject, { strict, wording = AS_SENT }: RenderOptions): string {
    this.#wording = wording
    this.#captures.open = 0
    Object.assign(this.#engine.options, { locale: localeOf(wording), timezoneOffset: wording.timeZone ?? 'UTC' })
    return String(this.#engine.renderSync([...template], context, { strictVariables: strict }))
  }
}

function meteredByItem(filter: FilterImplOptions | undefined): FilterImplOptions {
  if (typeof filter !== 'function') throw new TypeError('The library has no such filter.')
  return function (value: unknown, ...rest: unknown[]): unknown {
    if (Array.isArray(value)) this.context.memoryLimit.use(ITEM * value.length)
    return filter.call(this, value, ...rest)
  }
}

/** A template that is rendered again says the same: what the library's filter calls now is the event's `timestamp`. */
function ofTheEvent(filter: FilterImplOptions | undefined): FilterImplOptions {
  if (typeof filter !== 'function') throw new TypeError('The library has no such filter.')
  return function (value: unknown, ...rest: unknown[]): unknown {
    const isNow = value === 'now' || value === 'today'
    return filter.call(this, isNow ? Reflect.get(this.context.environments, 'timestamp') : value, ...rest)
  }
}

/** JSON has a word for nothing, and every parser takes what this gives: a character of which half is missing is replaced. */
function ofMissingToo(filter: FilterImplOptions | undefined): FilterFunction {
  if (typeof filter !== 'function') throw new TypeError('The library has no such filter.')
  return function (value: unknown, ...rest: unknown[]): unknown {
    const json: unknown = filter.call(this, value ?? null, ...rest)
    return typeof json === 'string' ? withWholeCharacters(json) : json
  }
}

type FilterFunction = Extract<FilterImplOptions, (...given: never[]) => unknown>

/** What is captured goes nowhere yet: it is escaped where it is put out. */
function captureWithin(captures: { open: number }): typeof CaptureTag {
  return class extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, string> {
      captures.open += 1
      try {
        yield* super.render(context)
      } finally {
        captures.open -= 1
      }
    }
  }
}

/** Values come from records, and what `group_by` and its like make of them; a list or an object is shown as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** What a turn takes beside what stands in it. */
const TURN = 16

/** A loop each of whose turns counts against the bound on work, by the characters of the template that it goes over. */
class MeteredForTag extends ForTag {
  constructor(...made: ConstructorParameters<typeof ForTag>) {
    const [token, rest] = made
    const begin = rest[0]?.begin ?? token.end
    super(...made)
    this.templates.unshift(meter(token, TURN + (rest[0]?.begin ?? token.input.length) - begin))
  }
}

function meter(token: TagToken, cost: number): Template {
  return {
    token,
    render: (context: Context) => {
      context.memoryLimit.use(cost)
    },
  }
}
