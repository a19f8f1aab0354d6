/** Which subscriptions have nothing to send before an instant, because their channel gathers what it sends. */
export class Gates {
  readonly #shutUntil = new Map<string, number>()

  /** Nothing to do before `until`; null: there may be. */
  shut(subscription: string, until: number | null): void {
    if (until === null) this.#shutUntil.delete(subscription)
    else this.#shutUntil.set(subscription, until)
  }

  /** There may be something at `at` already: an attempt is to be repeated then. */
  openAt(subscription: string, at: number): void {
    const until = this.#shutUntil.get(subscription)
    if (until !== undefined && at < until) this.#shutUntil.set(subscription, at)
  }

  /** Of these places, those of subscriptions that are not shut. */
  open(places: ReadonlyMap<string, number>, now: number): ReadonlyMap<string, number> {
    if (this.#shutUntil.size === 0) return places
    return new Map([...places].filter(([name]) => (this.#shutUntil.get(name) ?? now) <= now))
  }

  /** When the first of these that are shut opens; null where none is. */
  nextAt(subscriptions: Iterable<string>, now: number): number | null {
    let next: number | null = null
    for (const name of subscriptions) {
      const until = this.#shutUntil.get(name)
      if (until !== undefined && until > now && (next === null || until < next)) next = until
    }
    return next
  }
}
