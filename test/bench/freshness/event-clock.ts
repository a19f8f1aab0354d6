import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../../src/clock.ts'

interface Sleeper {
  readonly dueAt: number
  readonly wake: () => void
  isOver: boolean
}

/**
 * A clock of a discrete-event simulation: while anybody works it stands still, and when everybody sleeps it jumps to the
 * next one who wakes. Everybody sleeps when `pulse`, a count of what the simulated program did, has stood still for two
 * turns of the event loop; the program does nothing outside of the loop, for the store is synchronous and there is no wire.
 */
export class EventClock implements Clock {
  /** Since the start, whatever the wall clock says. */
  #elapsed = 0
  /** The wall clock is so far ahead of it. */
  #ahead: number
  /** The earliest last. */
  #sleepers: Sleeper[] = []
  #pulse = 0
  /** How often it woke somebody. */
  wakes = 0

  constructor(start: number) {
    this.#ahead = start
  }

  get elapsed(): number {
    return this.#elapsed
  }

  now(): number {
    this.#pulse += 1
    return this.#elapsed + this.#ahead
  }

  calendarNow(): number {
    return this.now()
  }

  monotonic(): number {
    return this.#elapsed
  }

  /** Somebody did something. */
  beat(): void {
    this.#pulse += 1
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.#pulse += 1
    if (signal?.aborted === true || ms <= 0) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        sleeper.isOver = true
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const sleeper: Sleeper = { dueAt: this.#elapsed + ms, wake: end, isOver: false }
      this.#insert(sleeper)
      signal?.addEventListener('abort', end)
    })
  }

  after(ms: number, act: () => void): Disposable {
    this.#pulse += 1
    const sleeper: Sleeper = { dueAt: this.#elapsed + Math.max(0, ms), wake: act, isOver: false }
    this.#insert(sleeper)
    return {
      [Symbol.dispose]: () => {
        sleeper.isOver = true
      },
    }
  }

  /** Lets time pass until the wall clock shows `until`. */
  async run(until: number): Promise<void> {
    await this.advance(until - this.#ahead - this.#elapsed)
  }

  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    await this.#settle()
    for (;;) {
      const next = this.#sleepers.at(-1)
      if (next === undefined || next.dueAt > end) break
      this.#sleepers.pop()
      if (next.isOver) continue
      this.#elapsed = Math.max(this.#elapsed, next.dueAt)
      this.wakes += 1
      next.wake()
      await this.#settle()
    }
    this.#elapsed = Math.max(this.#elapsed, end)
    await this.#settle()
  }

  /** Sets the wall clock; whoever sleeps wakes after as long as it asked for. */
  jump(by: number): void {
    this.#ahead += by
  }

  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      const before = this.#pulse
      await nextTurn()
      quiet = this.#pulse === before ? quiet + 1 : 0
    }
  }

  /** Behind those that wake at the same instant. */
  #insert(sleeper: Sleeper): void {
    let [from, to] = [0, this.#sleepers.length]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((this.#sleepers[middle]?.dueAt ?? 0) > sleeper.dueAt) from = middle + 1
      else to = middle
    }
    while (from > 0 && this.#sleepers[from - 1]?.dueAt === sleeper.dueAt) from -= 1
    this.#sleepers.splice(from, 0, sleeper)
  }
}
