import { AsyncLocalStorage } from 'node:async_hooks'
import { readTimeZone } from '../../../model/time-zone.ts'
import type { Address } from './address.ts'

/** What depends on who looks, and on nothing that is shown. */
export interface Viewer {
  /** The one zone of every date that is shown. */
  readonly timeZone: string
  /** The zone where nobody chooses: that of the accounts that are seen, where they agree, else UTC. */
  readonly usualZone: string
  /** Whether `timeZone` was chosen. */
  readonly hasChosen: boolean
  /** What was asked for and is no zone; null: nothing is wrong. */
  readonly wrongZone: string | null
  /** The view that is asked for; null: what is shown is no view that can be asked for again. */
  readonly address: Address | null
}

export interface ViewerParts {
  /** The zone that the request names, empty where it gives a choice up; null: it names none. */
  readonly asked: string | null
  /** The choice that was made before. */
  readonly kept: string | null
  readonly address: Address | null
  /** Asked once, when the first date is shown. */
  readonly usualZone: () => string
}

/** The viewer of a request, whose zone is found out with the first date: most answers to programs show none. */
export class RequestViewer implements Viewer {
  readonly address: Address | null
  readonly wrongZone: string | null
  /** The zone that the request chooses; null: none. */
  readonly chosen: string | null
  readonly #findUsual: () => string
  #usual: string | null = null

  constructor({ address, asked, kept, usualZone }: ViewerParts) {
    const named = asked === null ? null : asked.trim()
    const read = named === null || named === '' ? null : readTimeZone(named)
    this.address = address
    this.wrongZone = named !== null && named !== '' && read === null ? named : null
    this.chosen = read ?? (named === '' || kept === null ? null : readTimeZone(kept))
    this.#findUsual = usualZone
  }

  get hasChosen(): boolean {
    return this.chosen !== null
  }

  get timeZone(): string {
    return this.chosen ?? this.usualZone
  }

  get usualZone(): string {
    this.#usual ??= this.#findUsual()
    return this.#usual
  }
}

/** Whoever looks where no request was made, as in a test of one part. */
const NOBODY: Viewer = { timeZone: 'UTC', usualZone: 'UTC', hasChosen: false, wrongZone: null, address: null }

const CURRENT = new AsyncLocalStorage<Viewer>()

/** Who looks at what is being made. Read by parts that show dates alone: pages ask those. */
export function viewer(): Viewer {
  return CURRENT.getStore() ?? NOBODY
}

/** Does something for a viewer, and all that it waits for. */
export function viewedBy<Result>(who: Viewer, make: () => Result): Result {
  return CURRENT.run(who, make)
}
