/** Tests and what commands ask for wait behind a shut gate no longer, whatever a channel says and the clock does. */
const LONGEST_SHUT_MS = 15_000

interface Shut {
  /** When the channel will have something to send. */
  readonly until: number
  /** When it is asked again. */
  readonly lookAt: number
}

/**
 * Which subscriptions have nothing to send before an instant, because their channel gathers what it sends. A gate only spares
 * looking: the channel is asked again soon, and one that takes its place at once.
 */
export class BatchDelay {
  readonly #shut = new Map<string, Shut>()

  /** Nothing to do before `until`; null: there may be. */
  shut(subscription: string, until: number | null, now: number): void {
    if (until === null) this.#shut.delete(subscription)
    else this.#shut.set(subscription, { until, lookAt: Math.min(until, now + LONGEST_SHUT_MS) })
  }

  /** There may be something at `at` already: an attempt is to be repeated then. */
  openAt(subscription: string, at: number): void {
    const shut = this.#shut.get(subscription)
    if (shut === undefined || at >= shut.until) return
    this.#shut.set(subscription, { until: at, lookAt: Math.min(at, shut.lookAt) })
  }

  /** Of these places, those of subscriptions that are not shut. */
  open(places: ReadonlyMap<string, number>, now: number): ReadonlyMap<string, number> {
    if (this.#shut.size === 0) return places
    return new Map([...places].filter(([name]) => this.#shutAt(name, now) === null))
  }

  /** When the first of these that are shut is looked at again; null where none is shut. */
  nextLookAt(subscriptions: Iterable<string>, now: number): number | null {
    return first([...subscriptions].flatMap((name) => this.#shutAt(name, now)?.lookAt ?? []))
  }

  /** When the first of these that are shut has something to send; null where none is shut. */
  nextAt(subscriptions: Iterable<string>, now: number): number | null {
    return first([...subscriptions].flatMap((name) => this.#shutAt(name, now)?.until ?? []))
  }

  /** null: open, as is one that could only have been shut while the clock was ahead. */
  #shutAt(subscription: string, now: number): Shut | null {
    const shut = this.#shut.get(subscription)
    return shut !== undefined && shut.lookAt > now && shut.lookAt <= now + LONGEST_SHUT_MS ? shut : null
  }
}

function first(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.min(...instants)
}
