import { PHASES, type PhaseSpan } from '../model/phase.ts'
import type { RecordResource } from '../model/resource.ts'
import type { ChangeEstimator, KnownItem, KnownPage } from './change-estimator.ts'
import { itemOf, keyBy, keyOf } from './target.ts'
import { NumberRows, UnitQueue } from './unit-queue.ts'

export type Weights = Readonly<Partial<Record<RecordResource, number>>>

export type KnownUnit = KnownPage | KnownItem

/** The pages and items of an account, as they were last read, and the queue that says which is worth the next request. */
export class KnownUnits {
  readonly #weights: Weights
  readonly #estimator: ChangeEstimator
  readonly #pages = new Map<string, KnownPage>()
  readonly #items = new KnownItems()
  readonly #counts = new Map<RecordResource, number>()
  readonly queue = new UnitQueue()

  /** `weights`: how much changes of a resource matter beside others; 1 where left out. */
  constructor(weights: Weights, estimator: ChangeEstimator) {
    this.#weights = weights
    this.#estimator = estimator
  }

  get(key: string): KnownUnit | undefined {
    return this.#pages.get(key) ?? this.#items.get(key)
  }

  page(key: string): KnownPage | undefined {
    return this.#pages.get(key)
  }

  item(key: string): KnownItem | undefined {
    return this.#items.get(key)
  }

  /** All units of a resource. */
  of(resource: RecordResource): readonly KnownUnit[] {
    return [...this.#pages.values(), ...this.#items.values()].filter(({ target }) => target.resource === resource)
  }

  /** The pages of a list, in its order. */
  pagesOf(resource: RecordResource): readonly KnownPage[] {
    const pages = [...this.#pages.values()].filter(({ target }) => target.resource === resource)
    return pages.toSorted((one, other) => one.target.skip - other.target.skip)
  }

  /** When that was read which waits longest, of what is still read at `now`; null: there is nothing. */
  oldestReadAt(resource: RecordResource, now: number): number | null {
    let oldest = this.#items.oldestReadAt(resource, now)
    for (const { readAt, target } of this.#pages.values())
      if (target.resource === resource && readAt < (oldest ?? Number.POSITIVE_INFINITY)) oldest = readAt
    return oldest
  }

  /** How many requests it takes to read all that is known of a resource. */
  count(resource: RecordResource): number {
    return this.#counts.get(resource) ?? 0
  }

  put(unit: KnownUnit): void {
    const { readAt, target } = unit
    const key = keyOf(target)
    if (this.get(key) === undefined) this.#counts.set(target.resource, this.count(target.resource) + 1)
    if ('mix' in unit) this.#pages.set(key, unit)
    else this.#items.put(unit)
    this.queue.put({ key, rate: this.#estimator.of(unit), weight: this.#weights[target.resource] ?? 1, readAt })
  }

  /** Forgets a unit; returns what was known of it. */
  remove(key: string): KnownUnit | undefined {
    const known = this.get(key)
    if (known !== undefined) this.#counts.set(known.target.resource, this.count(known.target.resource) - 1)
    this.#pages.delete(key)
    this.#items.delete(key)
    this.queue.remove(key)
    return known
  }
}

const [READ_AT, CHANGES, EXPECTED, UP_TO, PHASE, UNTIL, ENDS_AT] = [0, 1, 2, 3, 4, 5, 6]
const WIDTH = 7

/** Items by their keys, packed into rows of numbers: an account may have tens of thousands. */
export class KnownItems {
  readonly #rows = new NumberRows(WIDTH)

  has(key: string): boolean {
    return this.#rows.placeOf(key) !== null
  }

  get(key: string): KnownItem | undefined {
    const place = this.#rows.placeOf(key)
    return place === null ? undefined : this.#at(place)
  }

  *values(): IterableIterator<KnownItem> {
    for (const place of this.#rows.places) yield this.#at(place)
  }

  oldestReadAt(resource: RecordResource, now: number): number | null {
    const rows = this.#rows
    const prefix = keyBy('item', resource, '')
    let oldest = Number.POSITIVE_INFINITY
    for (const place of rows.places) {
      const readAt = rows.get(place, READ_AT)
      if (readAt >= oldest || rows.get(place, ENDS_AT) <= now || !rows.keyAt(place).startsWith(prefix)) continue
      oldest = readAt
    }
    return oldest === Number.POSITIVE_INFINITY ? null : oldest
  }

  put({ activity, endsAt, phase, readAt, target }: KnownItem): void {
    const rows = this.#rows
    const key = keyOf(target)
    const place = rows.placeOf(key) ?? rows.add(key)
    rows.set(place, READ_AT, readAt)
    rows.set(place, CHANGES, activity.changes)
    rows.set(place, EXPECTED, activity.expected)
    rows.set(place, UP_TO, activity.at)
    rows.set(place, PHASE, phase === null ? -1 : PHASES.indexOf(phase.phase))
    rows.set(place, UNTIL, phase?.until ?? Number.NaN)
    rows.set(place, ENDS_AT, endsAt ?? Number.NaN)
  }

  delete(key: string): void {
    this.#rows.remove(key)
  }

  #at(place: number): KnownItem {
    const rows = this.#rows
    return {
      target: itemOf(rows.keyAt(place)),
      activity: {
        changes: rows.get(place, CHANGES),
        expected: rows.get(place, EXPECTED),
        at: rows.get(place, UP_TO),
      },
      readAt: rows.get(place, READ_AT),
      phase: this.#phaseAt(place),
      endsAt: instantOf(rows.get(place, ENDS_AT)),
    }
  }

  #phaseAt(place: number): PhaseSpan | null {
    const phase = PHASES[this.#rows.get(place, PHASE)]
    return phase === undefined ? null : { phase, until: instantOf(this.#rows.get(place, UNTIL)) }
  }
}

function instantOf(number: number): number | null {
  return Number.isNaN(number) ? null : number
}
