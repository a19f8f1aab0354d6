import { Liquid, type Template } from 'liquidjs'
import type { Json, JsonObject } from '../model/json.ts'
import { carriage } from './words/carriage.ts'
import { changed } from './words/changed.ts'
import { at, happened } from './words/happened.ts'
import { moment } from './words/moment.ts'
import { money } from './words/money.ts'
import { moved, shift } from './words/moved.ts'
import { short, words } from './words/short.ts'
import { counted, span } from './words/span.ts'

/** A template that parsed. */
export type Compiled = readonly Template[]

const MOST_TEMPLATE_CHARACTERS = 100_000
const MOST_RENDER_MS = 500
const MOST_MEMORY = 10_000_000

const FILTERS: Readonly<Record<string, (value: Json | undefined) => string>> = {
  at,
  carriage,
  changed,
  date_or_none: (value) => moment(value) || 'none',
  days: (value) => counted(Math.abs(Number(value)), 'day'),
  happened,
  hours: (value) => span(Math.abs(Number(value)) * 60),
  moment,
  money,
  moved,
  shift: (value) => shift(value) ?? '',
  short,
  words,
}

/**
 * Liquid templates in a sandbox: no files and no other templates, own properties only, bounds on size, time and memory.
 * Every value put out is escaped for where it goes; the template's own text is not.
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
    for (const [name, filter] of Object.entries(FILTERS)) this.#engine.registerFilter(name, filter)
    // It would undo the escaping.
    this.#engine.unregisterFilter('raw')
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

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
