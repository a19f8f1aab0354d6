import type { SubjectResource } from '../../model/resource.ts'
import type { EventHour } from '../log-query-port.ts'

export const HOUR_MS = 3_600_000

interface CountedEvent {
  readonly ref: number
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
  readonly storedAt: number
}

export interface EventTotal extends EventHour {
  readonly resource: SubjectResource
  /** `ref` of the first of them. */
  readonly first: number
}

/** Totals of the events of one commit, written once for all of them. */
export class EventTotals {
  readonly #totals = new Map<string, EventTotal>()

  add({ account, ref, resource, storedAt, type }: CountedEvent): void {
    const hour = hourOf(storedAt)
    const key = JSON.stringify([hour, account, type, resource])
    const { amount, first } = this.#totals.get(key) ?? { amount: 0, first: ref }
    this.#totals.set(key, { hour, account, type, resource, amount: amount + 1, first })
  }

  get all(): readonly EventTotal[] {
    return [...this.#totals.values()]
  }
}

/** The beginning of the hour that an instant lies in. */
export function hourOf(instant: number): number {
  return instant - (((instant % HOUR_MS) + HOUR_MS) % HOUR_MS)
}
