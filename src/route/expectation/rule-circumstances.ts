import { isSeenResource } from '../../model/expectation.ts'
import type { ExpectationView } from './expectation-view.ts'
import { shiftedDate } from './shifted-date.ts'

/** What the functions of a rule's expressions answer by: the record that is judged just now. */
export class RuleCircumstances {
  #view: Pick<ExpectationView, 'changedAt' | 'timeZone'> = { changedAt: {}, timeZone: 'UTC' }

  enter(view: ExpectationView): void {
    this.#view = view
  }

  get timeZone(): string {
    return this.#view.timeZone
  }

  shifted(date: unknown, length: string, direction: 1 | -1): Date | null {
    return shiftedDate(date, length, { direction, timeZone: this.#view.timeZone })
  }

  lastChange(resource: string): Date | null {
    const at = isSeenResource(resource) ? this.#view.changedAt[resource] : undefined
    return at === undefined ? null : new Date(at)
  }
}
