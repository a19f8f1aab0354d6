import { setFlagsFromString } from 'node:v8'
import type { Clock } from '../clock.ts'
import type { Telemetry } from '../model/telemetry.ts'

const WINDOW_MS = 1_000
/** Events that ring and rows that are sent, in that time. */
const MANY = 100

const GROWS = '--semi-space-growth-factor=4'
const STAYS = '--semi-space-growth-factor=1'

/**
 * The room that V8 has for young objects. A daemon begins with little (`bin.js`), which is enough while little changes. In a burst
 * whole pages of records are under way: in little room they grow old before they are done with, and the collector takes a tenth of
 * the processor for that. So the room may grow as long as a burst lasts. V8 gives it back once little is made again.
 */
export class YoungRoom implements Telemetry, Disposable {
  readonly #clock: Pick<Clock, 'after'>
  readonly #setFlag: (flag: string) => void
  #amount = 0
  #mayGrow = false
  #window: Disposable | null = null

  constructor(clock: Pick<Clock, 'after'>, setFlag = setFlagsFromString) {
    this.#clock = clock
    this.#setFlag = setFlag
  }

  requested(): void {
    return undefined
  }

  committed({ error, events }: Pick<Parameters<Telemetry['committed']>[0], 'error' | 'events'>): void {
    if (error === null) this.#note(events.length)
  }

  attempted({ rows }: Pick<Parameters<Telemetry['attempted']>[0], 'rows'>): void {
    this.#note(rows.length)
  }

  #note(amount: number): void {
    if (amount === 0) return
    this.#amount += amount
    if (this.#amount >= MANY) this.#let(true)
    this.#window ??= this.#clock.after(WINDOW_MS, () => this.#endWindow())
  }

  #endWindow(): void {
    if (this.#amount < MANY) this.#let(false)
    this.#amount = 0
    // The burst has ended only once a window passes in which little happens.
    this.#window = this.#mayGrow ? this.#clock.after(WINDOW_MS, () => this.#endWindow()) : null
  }

  #let(mayGrow: boolean): void {
    if (mayGrow === this.#mayGrow) return
    this.#mayGrow = mayGrow
    this.#setFlag(mayGrow ? GROWS : STAYS)
  }

  [Symbol.dispose](): void {
    this.#window?.[Symbol.dispose]()
    this.#let(false)
  }
}

/** Whether the room of this process has a size that it was started with, as a daemon's has. */
export function hasYoungRoom(words: readonly string[] = process.execArgv): boolean {
  return words.some((word) => word.startsWith('--max-semi-space-size'))
}
