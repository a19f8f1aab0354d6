import type { Clock } from '../clock.ts'
import type { WaitStore } from '../store/ports/delivery-port.ts'

/** A wall clock that is off by more than this was set. */
const NOTICED_MS = 1_000

/**
 * The time by which waits are measured: what the wall clock shows plus `ahead`, which changes whenever that clock is set, so that
 * the sum goes on evenly. Within a process it follows `Clock.monotonic`. The next process starts at the later of two instants:
 * the wall clock plus the `ahead` that the store kept, and the latest beginning of a wait. So it never goes back, and no wait
 * holds a date of a clock that was wrong. If the wall clock was set forwards between two processes, that counts as time passed.
 *
 * `claim`, `settle`, `nextDueAt` and cooldowns speak of steady time; `deliveries.wake_at` and `rests.until` hold it. What people
 * see, and what a batch policy judges by (the hour of a digest), is the wall clock's: `whenShown` and `shownAt` translate. A row
 * that is ready (`wake_at` null) is claimed whatever any clock says.
 */
export class SteadyTime {
  readonly #clock: Clock
  readonly #store: WaitStore
  /** The steady time when the monotonic clock began. */
  #origin: number
  /** By how much the wall clock is behind it, as the store knows. */
  #aheadMs = 0
  #recalled = false

  constructor({ clock, store }: { readonly clock: Clock; readonly store: WaitStore }) {
    this.#clock = clock
    this.#store = store
    this.#origin = clock.now() - clock.monotonic()
  }

  now(): number {
    return Math.round(this.#origin + this.#clock.monotonic())
  }

  /** When the wall clock will show an instant, unless it is set. */
  whenShown(wallAt: number): number {
    return wallAt + this.#aheadMs
  }

  /** What the wall clock will show then, unless it is set. */
  shownAt(at: number): number {
    return at - this.#aheadMs
  }

  /** Goes on where the last process left it, and notices that the wall clock was set: before anything is asked of the store. */
  async follow(): Promise<void> {
    if (!this.#recalled) await this.#recall()
    const now = this.now()
    const aheadMs = now - this.#clock.now()
    if (Math.abs(aheadMs - this.#aheadMs) <= NOTICED_MS) return
    await this.#store.keepSteadyTime({ latest: now, aheadMs })
    this.#aheadMs = aheadMs
  }

  async #recall(): Promise<void> {
    const { aheadMs, latest } = (await this.#store.waits()).steady
    this.#origin = Math.max(this.#clock.now() + aheadMs, latest) - this.#clock.monotonic()
    this.#aheadMs = aheadMs
    this.#recalled = true
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/**
 * How long the loop rests after rounds that failed. Others may wake it, and it fails again then: what fails before a pause is over
 * counts once with what began it.
 */
export class RoundBackoff {
  #failures = 0
  #until = 0

  /** By the steady clock. `isFirst`: it began this pause. */
  failed(now: number): { readonly waitMs: number; readonly isFirst: boolean } {
    if (now < this.#until) return { waitMs: this.#until - now, isFirst: false }
    const waitMs = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS)
    this.#failures += 1
    this.#until = now + waitMs
    return { waitMs, isFirst: true }
  }

  isPause(now: number): boolean {
    return now < this.#until
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}
