import { WORD_FILTERS } from '../../message/words/word-filters.ts'
import { localTime } from '../../message/wording/local-time.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import { parseInstant } from '../../model/instant.ts'
import type { Language } from '../../model/reader.ts'

/** Clocks are set at quarters of an hour; before 1972 some were off by seconds. */
const QUARTER_MS = 900_000
const QUARTERS_SINCE = Date.UTC(1972, 0, 1)
/** A year of quarters, for a few pairs of zones. */
const MOST_KEPT = 100_000

/** Whether two clocks say the same of each instant that they are asked for, which many events name. */
export class ZonesAlike {
  readonly #language: Language
  readonly #known = new Map<string, boolean>()

  constructor(language: Language) {
    this.#language = language
  }

  /**
   * Whether what is made of an event reads the same on both: by `template`, null: by ours alone, which shows no record as it was before.
   * A template that makes dates of its own is not known to.
   */
  readAlike(event: ShipbellEvent, zones: Zones, template: string | null): boolean {
    if (template !== null && makesDates(template)) return false
    const { changes, extras, object, observed, shipment, timestamp } = event
    const times = [timestamp, observed?.notBefore ?? timestamp, observed?.notAfter ?? timestamp]
    // What a record was is not even parsed for ours.
    const shown = [object, changes, extras, shipment, template === null ? null : event.before]
    return times.every((at) => this.at(at, zones)) && this.#ofAllIn(shown, zones)
  }

  /** Whether they say the same of all date-times in a value, whatever else is in it. */
  #ofAllIn(value: unknown, zones: Zones): boolean {
    if (typeof value === 'string') {
      const instant = parseInstant(value)
      return instant === null || this.at(instant, zones)
    }
    if (typeof value !== 'object' || value === null) return true
    return Object.values(value).every((each) => this.#ofAllIn(each, zones))
  }

  at(instant: number, zones: Zones): boolean {
    if (instant < QUARTERS_SINCE) return this.#read(instant, zones)
    const quarter = Math.floor(instant / QUARTER_MS)
    const key = `${quarter} ${zones.old} ${zones.new}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const alike = this.#read(quarter * QUARTER_MS, zones)
    if (this.#known.size >= MOST_KEPT) this.#known.clear()
    this.#known.set(key, alike)
    return alike
  }

  #read(instant: number, zones: Zones): boolean {
    const [one, another] = [zones.old, zones.new].map((zone) => localTime(instant, this.#language, zone))
    return one?.date === another?.date && one?.time === another?.time && one?.zone === another?.zone
  }
}

export interface Zones {
  readonly old: string
  readonly new: string
}

/** Whether a template may say a date-time that stands in no event: one of its own, or one made of a number or of pieces of texts. */
function makesDates(template: string): boolean {
  return OWN_DATES.test(template) || (PIECES.test(template) && WORDS.test(template))
}

const OWN_DATES = /\d[Tt ]\d|\|\s*date\b/
const PIECES = /\b(?:append|capture|concat|join|prepend|remove\w*|replace\w*|slice|split|truncate\w*)\b/
const WORDS = new RegExp(`\\|\\s*(?:${Object.keys(WORD_FILTERS).join('|')})\\b`)
