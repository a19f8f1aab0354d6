/** How far the rows of an endpoint are numbered. */
export interface Numbered {
  /** The newest number among the rows that were dropped; 0: none had one. */
  readonly dropped_position: number
  /** The newest number among the rows that are there; null: none has one. */
  readonly kept_position: number | null
}

/** The newest number of the rows of an endpoint; 0: none has one. */
export function newestPosition({ dropped_position: dropped, kept_position: kept }: Numbered): number {
  return Math.max(dropped, kept ?? 0)
}

interface NewRow {
  readonly subscription: string
  readonly test: boolean
}

/**
 * Numbers the rows that one transaction makes: of each subscription from 1, in the order in which they are made, without a hole. Tests
 * have no number. Whoever makes rows of an endpoint holds it, so that no two rows get one number.
 */
export class Numbering {
  readonly #newest: Map<string, number>

  /** `newest`: the newest numbers by subscription; one that is left out has none yet. */
  constructor(newest: Iterable<readonly [string, number]> = []) {
    this.#newest = new Map(newest)
  }

  begin(subscription: string, numbered: Numbered): void {
    this.#newest.set(subscription, newestPosition(numbered))
  }

  /** The number that a row gets if it is made. */
  next({ subscription, test }: NewRow): number | null {
    return test ? null : (this.#newest.get(subscription) ?? 0) + 1
  }

  /** A row was made with its `next` number. */
  made({ subscription, test }: NewRow): void {
    if (!test) this.#newest.set(subscription, (this.#newest.get(subscription) ?? 0) + 1)
  }

  /** The number of a row that is made. */
  take(row: NewRow): number | null {
    const position = this.next(row)
    this.made(row)
    return position
  }
}
