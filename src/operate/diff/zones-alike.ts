import { tellsRecordDates } from '../../message/message-fields.ts'
import { WORD_FILTERS } from '../../message/words/word-filters.ts'
import { localTime } from '../../message/wording/local-time.ts'
import type { Compiled } from '../../message/liquid.ts'
import { readsOf } from '../../message/template/template-reads.ts'
import { textsOf } from '../../model/event-texts.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { toldEvent } from './lean-event.ts'
import { writtenDates } from './written-dates.ts'
import { parseInstant } from '../../model/instant.ts'
import type { Language } from '../../model/reader.ts'

/** Clocks are set at quarters of an hour; before 1972 some were off by seconds. */
const QUARTER_MS = 900_000
const QUARTERS_SINCE = Date.UTC(1972, 0, 1)
/** Quarters whose verdicts are kept together: those of a year, in 32 kB. */
const TOGETHER = 32_768
/** How many years are kept of two clocks, and how many pairs of clocks: 13 MB at most. */
const MOST_YEARS = 40
const MOST_PAIRS = 10
const [ALIKE, APART] = [1, 2]

/** Whether two clocks say the same of each instant that they are asked for, which many events name. */
export class ZonesAlike {
  readonly #language: Language
  readonly #pairs = new Map<string, ClockPair>()

  constructor(language: Language) {
    this.#language = language
  }

  /**
   * Whether what is made of an event certainly reads the same on both: by `template`, null: by ours alone, which shows no record as it was before.
   * A template that makes dates of its own is not known to, nor one that tells dates of a record that the event does not show (`hasRecord`).
   */
  readAlike(
    event: LoggedEvent,
    zones: Zones,
    { hasRecord, template }: { readonly hasRecord: boolean; readonly template: DatedTemplate | null },
  ): boolean {
    if (template?.makesDates === true) return false
    const { changes, extras, observed, shipment, timestamp } = event
    const times = [timestamp, observed?.notBefore ?? timestamp, observed?.notAfter ?? timestamp]
    const clocks = this.#pairOf(zones)
    if (!times.every((at) => clocks.readAlike(at)) || !isReadAlike([extras, changes, shipment], clocks)) return false
    const readsRecords = template?.readsRecords === true
    if (!readsRecords && !tellsRecordDates(event, this.#language)) return true
    if (!hasRecord) return false
    if (readsRecords) return isReadAlike([event.object, event.before], clocks)
    // What a record was is not even parsed for ours, nor, if all of its dates read alike, the record itself.
    const { objectJson } = textsOf(event)
    const dates = objectJson === undefined ? null : writtenDates(objectJson)
    return dates?.every((date) => isReadAlike(date, clocks)) === true || isReadAlike(toldEvent(event).object, clocks)
  }

  at(instant: number, zones: Zones): boolean {
    return this.#pairOf(zones).readAlike(instant)
  }

  #pairOf(zones: Zones): ClockPair {
    const key = `${zones.old} ${zones.new}`
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    if (this.#pairs.size >= MOST_PAIRS) this.#pairs.clear()
    const made = new ClockPair(zones, this.#language)
    this.#pairs.set(key, made)
    return made
  }
}

/** Whether two clocks say the same of all date-times in a value, whatever else is in it. */
function isReadAlike(value: unknown, clocks: ClockPair): boolean {
  if (typeof value === 'string') {
    const instant = parseInstant(value)
    return instant === null || clocks.readAlike(instant)
  }
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((each) => isReadAlike(each, clocks))
}

class ClockPair {
  readonly #zones: readonly string[]
  readonly #language: Language
  readonly #years = new Map<number, Uint8Array>()

  constructor(zones: Zones, language: Language) {
    this.#zones = [zones.old, zones.new]
    this.#language = language
  }

  readAlike(instant: number): boolean {
    if (instant < QUARTERS_SINCE) return this.#read(instant)
    const quarter = Math.floor(instant / QUARTER_MS)
    const verdicts = this.#verdictsOf(Math.floor(quarter / TOGETHER))
    const place = quarter % TOGETHER
    if (verdicts[place] === 0) verdicts[place] = this.#read(quarter * QUARTER_MS) ? ALIKE : APART
    return verdicts[place] === ALIKE
  }

  #verdictsOf(year: number): Uint8Array {
    const known = this.#years.get(year)
    if (known !== undefined) return known
    if (this.#years.size >= MOST_YEARS) this.#years.clear()
    const made = new Uint8Array(TOGETHER)
    this.#years.set(year, made)
    return made
  }

  #read(instant: number): boolean {
    const [one, another] = this.#zones.map((zone) => localTime(instant, this.#language, zone))
    return one?.date === another?.date && one?.time === another?.time && one?.zone === another?.zone
  }
}

export interface Zones {
  readonly old: string
  readonly new: string
}

/** What a template makes of date-times. */
export interface DatedTemplate {
  /** Whether it may say a date-time that stands in no event: one of its own, or one made of a number or of pieces of texts. */
  readonly makesDates: boolean
  readonly readsRecords: boolean
}

/** `compile`: by the engine that renders it. */
export function datedTemplate(source: string, compile: (source: string) => Compiled): DatedTemplate {
  return { makesDates: makesDates(source), readsRecords: readsOf([compile(source)]).records }
}

function makesDates(template: string): boolean {
  return OWN_DATES.test(template) || (PIECES.test(template) && WORDS.test(template))
}

const OWN_DATES = /\d[Tt ]\d|\|\s*date\b/
const PIECES = /\b(?:append|capture|concat|join|prepend|remove\w*|replace\w*|slice|split|truncate\w*)\b/
const WORDS = new RegExp(`\\|\\s*(?:${Object.keys(WORD_FILTERS).join('|')})\\b`)
