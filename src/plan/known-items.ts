import { PHASES, type PhaseSpan } from '../model/phase.ts'
import type { KnownItem } from './change-estimator.ts'
import { NumberRows } from './number-rows.ts'
import { itemOf, keyOf } from './target.ts'

const [READ_AT, CHANGES, EXPECTED, UP_TO, PHASE, UNTIL, ENDS_AT] = [0, 1, 2, 3, 4, 5, 6]
const WIDTH = 7

/** Items by their keys, of which an account may have tens of thousands. Time that is null is kept as none. */
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
