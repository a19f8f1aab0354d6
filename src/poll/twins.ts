import type { JsonObject } from '../model/json.ts'
import type { Twin } from '../store/list-state.ts'
import { onlyRecords, type PageOfRows } from './page-of-rows.ts'

/** So many complete passes in a row have to meet the same two records before they are taken for two. */
const LEAST_PASSES = 2
/** Of a list that shows nothing else, the rest rings on. */
const MOST_TWINS = 1_000
const MOST_PRINTS = 10

/** A record that an id was known by, and another one that the same pass showed under it. */
export interface Alternation {
  readonly id: string
  readonly before: JsonObject
  readonly after: JsonObject
}

/**
 * Two different records that carry one id. A pass may meet one record twice, because rows shift between pages, and find it
 * changed: that is believed (contract section 3.3). Where two complete passes in a row met the same two records under an id,
 * its known record stays what it is for as long as passes meet both: rows that show the other one wait for the end of the
 * pass. One that is then alone is a change like any other, and what neither was is told at once.
 */
export class Twins {
  readonly #printOf: (record: JsonObject) => string
  readonly #before: ReadonlyMap<string, Twin>
  /** The prints of the records that this pass met, of ids with more than one. */
  readonly #met = new Map<string, Set<string>>()
  readonly #waiting = new Map<string, PageOfRows>()
  /** Ids of which this pass met the known record, or one that is new. */
  readonly #followed = new Set<string>()

  constructor(before: readonly Twin[], printOf: (record: JsonObject) => string) {
    this.#printOf = printOf
    this.#before = new Map(before.map((twin) => [twin.id, twin]))
  }

  /** Ids of two records, as far as earlier passes tell. */
  has(id: string): boolean {
    return (this.#before.get(id)?.passes ?? 0) >= LEAST_PASSES
  }

  /** Takes out the rows that wait for the end of the pass. `known`: the records that twins of the page are known by. */
  sift(page: PageOfRows, known: ReadonlyMap<string, JsonObject>): PageOfRows {
    const waits = new Set<string>()
    for (const [id, row] of page.records) {
      const stored = known.get(id)
      if (!this.has(id) || stored === undefined) continue
      const [print, knownPrint] = [this.#printOf(row.record), this.#printOf(stored)]
      if (print === knownPrint || this.#before.get(id)?.prints.includes(print) !== true) {
        this.#followed.add(id)
        continue
      }
      waits.add(id)
      this.#note(id, [print, knownPrint])
    }
    const without = { ...page, rejectedIds: [] }
    for (const id of waits) {
      const own = { ...onlyRecords(without, (each) => each === id), place: null }
      this.#waiting.set(id, own)
    }
    if (waits.size === 0) return page
    const rest = onlyRecords(page, (id) => !waits.has(id))
    return { ...rest, rejectedIds: [...rest.rejectedIds, ...waits] }
  }

  /** Rows that changed a record which this pass had met before. */
  noteAlternations(alternations: readonly Alternation[]): void {
    for (const { id, before, after } of alternations) this.#note(id, [this.#printOf(before), this.#printOf(after)])
  }

  /** The pass is complete: ids of two records, ids that are so no longer, rows that are alone after all, and what to remember. */
  end(): {
    readonly twins: readonly string[]
    readonly over: readonly string[]
    readonly alone: readonly PageOfRows[]
    readonly remember: readonly Twin[]
  } {
    const alone = [...this.#waiting].filter(([id]) => !this.#followed.has(id))
    for (const [id] of alone) this.#met.delete(id)
    const remember = [...this.#met].flatMap(([id, prints]) => this.#twin(id, [...prints])).slice(0, MOST_TWINS)
    const twins = new Set(remember.filter(({ passes }) => passes >= LEAST_PASSES).map(({ id }) => id))
    return {
      twins: [...twins],
      over: [...this.#before.keys()].filter((id) => this.has(id) && !twins.has(id)),
      alone: alone.map(([, page]) => page),
      remember,
    }
  }

  #twin(id: string, prints: readonly string[]): readonly Twin[] {
    if (prints.length < 2) return []
    const before = this.#before.get(id)
    const again = prints.filter((print) => before?.prints.includes(print) === true).length >= 2
    return [{ id, prints, passes: again ? (before?.passes ?? 0) + 1 : 1 }]
  }

  #note(id: string, prints: readonly string[]): void {
    const met = this.#met.get(id) ?? new Set<string>()
    for (const print of prints) if (met.size < MOST_PRINTS) met.add(print)
    this.#met.set(id, met)
  }
}
