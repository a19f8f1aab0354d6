import type { Clock } from '../clock.ts'
import { ownDescriptors, type Descriptors } from '../http/own-limits.ts'
import type { Logger } from '../log.ts'
import type { LimitTrouble, OwnLimit } from '../model/own-limit.ts'

/** How long the rows of other endpoints wait until everything is tried again. */
const PAUSE_MS = 1_000
/** Trouble that does not come back for so long is over. */
const OVER_MS = 60_000

export interface OwnRoomDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Default: the process's. */
  readonly descriptors?: Descriptors
  /** Told what sending lacks, and null once it lacks nothing any more. */
  readonly onLimit?: (limit: LimitTrouble | null) => void
}

/** How much this process may send at once by its own limits, whatever is configured; says in one line when they hold it up. */
export class OwnRoom {
  readonly #deps: OwnRoomDeps
  readonly #descriptors: Descriptors
  #trouble: OwnLimit | null = null
  #seenAt = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #turns = 0

  constructor(deps: OwnRoomDeps) {
    this.#deps = deps
    this.#descriptors = deps.descriptors ?? ownDescriptors()
  }

  /** How many attempts there may be at once; infinity: as many as are configured. */
  get most(): number {
    return this.#descriptors.mostSending
  }

  /** For how much longer nothing is sent at all. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#deps.clock.monotonic())
  }

  /** The number of the turn that comes: another one each time. */
  nextTurn(): number {
    this.#turns += 1
    return this.#turns
  }

  /** Something ran out. Ports are those to one address: others are sent to. */
  lacked(limit: OwnLimit): void {
    const now = this.#deps.clock.monotonic()
    if (limit !== 'ports') this.#pausedUntil = now + PAUSE_MS
    this.#see(limit, now)
  }

  /** Less is sent than is configured. */
  full(): void {
    this.#see('descriptors', this.#deps.clock.monotonic())
  }

  /** Call it now and then: trouble may be over. */
  look(): void {
    if (this.#trouble === null || this.#deps.clock.monotonic() - this.#seenAt < OVER_MS) return
    this.#deps.log.info({ limit: this.#trouble }, 'sending.resumed')
    this.#trouble = null
    this.#deps.onLimit?.(null)
  }

  #see(limit: OwnLimit, now: number): void {
    this.#seenAt = now
    if (this.#trouble === limit) return
    this.#trouble = limit
    const most = limit === 'descriptors' ? this.#descriptors.limit : null
    const at = most === null ? {} : { nofile: most, attempts_at_once: this.most }
    this.#deps.log.warn(
      { limit, ...at, next: 'sent as soon as there is room; no endpoint is charged' },
      'sending.paused',
    )
    this.#deps.onLimit?.({ limit, most })
  }
}
