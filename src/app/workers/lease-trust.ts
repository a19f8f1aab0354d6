import type { Clock } from '../../clock.ts'

export type TrustClock = Pick<Clock, 'now' | 'monotonic'>

/** An instant by both clocks. */
export interface Mark {
  readonly wall: number
  readonly monotonic: number
}

export function markNow(clock: TrustClock): Mark {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/**
 * How long a worker believes that its leases are its own. It ends before the database lets anybody else have them, and is judged
 * by the larger of two lengths: the monotonic clock may stand still while a machine is suspended, and the wall clock be set back.
 */
export class LeaseTrust {
  readonly #clock: TrustClock
  readonly #trustMs: number
  #since: Mark

  /** `since`: before the worker's life was prolonged. */
  constructor(clock: TrustClock, trustMs: number, since: Mark) {
    this.#clock = clock
    this.#trustMs = trustMs
    this.#since = since
  }

  renewed(since: Mark): void {
    this.#since = since
  }

  get leftMs(): number {
    const { monotonic, wall } = markNow(this.#clock)
    return this.#trustMs - Math.max(monotonic - this.#since.monotonic, wall - this.#since.wall)
  }

  get isWhole(): boolean {
    return this.leftMs > 0
  }
}
