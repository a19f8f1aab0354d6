import type { Bell } from '../bell.ts'
import type { Clock } from '../clock.ts'
import type { Choice, Outlook } from '../plan/outlook.ts'
import type { Target } from '../plan/target.ts'
import type { Gate } from './gate.ts'

export interface SpareReadsOptions {
  readonly clock: Clock
  readonly gate: Gate
  readonly outlook: Outlook
  /** Rings when something was announced. */
  readonly announced: Bell
  /** Rings when something is known that was not: there may be something to choose from. */
  readonly learnt: Bell
  /** Reads one unit; false: it came to nothing. */
  readonly read: (target: Target, why: Choice | 'announced', signal: AbortSignal) => Promise<boolean>
}

const SHORTEST_SLEEP_MS = 1_000
const LONGEST_SLEEP_MS = 60_000
/** While there is nothing to choose from at all. */
const EMPTY_SLEEP_MS = 30 * 60_000
const ANNOUNCEMENT_MS = 60 * 60_000
const RETRY_MS = 60_000

/** Spends what the promises leave of the budget where change is likely, and reads at once what was announced. */
export class SpareReads {
  readonly #options: SpareReadsOptions

  constructor(options: SpareReadsOptions) {
    this.#options = options
  }

  /** What has to run, each until `signal` aborts; one that failed may be begun again. */
  get loops(): readonly ((signal: AbortSignal) => Promise<void>)[] {
    return [async (signal) => this.#runAnnounced(signal), async (signal) => this.#runChoices(signal)]
  }

  async #runAnnounced(signal: AbortSignal): Promise<void> {
    const { announced, clock, outlook } = this.#options
    while (!signal.aborted) {
      const target = outlook.takeAnnounced()
      if (target === null) await announced.wait(clock, ANNOUNCEMENT_MS, signal)
      else await this.#read(target, 'announced', signal)
    }
  }

  async #runChoices(signal: AbortSignal): Promise<void> {
    const { clock, gate, learnt, outlook } = this.#options
    while (!signal.aborted) {
      await gate.spareWait(signal)
      if (signal.aborted) return
      const now = clock.now()
      const choice = outlook.choose(now)
      if (choice !== null) await this.#read(choice.target, choice, signal)
      else await learnt.wait(clock, this.#idleMs(now), signal)
    }
  }

  #idleMs(now: number): number {
    const next = this.#options.outlook.nextAt(now)
    if (next === null) return EMPTY_SLEEP_MS
    return Math.min(Math.max(next - now, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)
  }

  /** What cannot be read waits like what was read just now. */
  async #read(target: Target, why: Choice | 'announced', signal: AbortSignal): Promise<void> {
    const { clock, outlook, read } = this.#options
    outlook.postpone(target, clock.now())
    if (!(await read(target, why, signal))) outlook.postpone(target, clock.now() + RETRY_MS)
  }
}
