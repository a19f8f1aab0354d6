import type { Outlines } from '../../message/template/outlines.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { Reader } from '../../model/reader.ts'
import type { KnownVerdicts } from './outline-judge.ts'
import { type Verdict, Verdicts } from './verdicts.ts'

/** Tells by their outlines whether two templates make the same of an event, which `event` gives as it is shown. */
export interface OutlinesAlike {
  readonly isAlike: (event: () => ShipbellEvent, reader: Reader) => Verdict
  /** Whether that takes the records that events show. */
  readonly needsRecords: boolean
  /** What both make of what they see of an event; null: it cannot be told. */
  readonly texts: Outlines['texts']
}

/** What is remembered in one run for all subscriptions together. */
export class DiffMemory {
  readonly #verdicts = new Verdicts()
  readonly #outlines = new Map<string, OutlinesAlike | null>()
  #judges = 0

  /** What is known, for one judge more. */
  ofNewJudge(): KnownVerdicts {
    this.#judges += 1
    return { verdicts: this.#verdicts, judge: this.#judges }
  }

  /** The outlines of two templates, which many subscriptions may have. */
  outlines(key: readonly unknown[], make: () => OutlinesAlike | null): OutlinesAlike | null {
    const name = JSON.stringify(key)
    const known = this.#outlines.get(name)
    if (known !== undefined) return known
    const made = make()
    this.#outlines.set(name, made)
    return made
  }
}
