import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

interface Sleeper {
  readonly dueAt: number
  readonly wake: () => void
}

/** A clock that moves only when told to. Sleepers wake in the order they are due. */
export class FakeClock implements Clock {
  #now: number
  #elapsed = 0
  #sleepers: Sleeper[] = []

  constructor(start = Date.UTC(2026, 10, 21, 8)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  calendarNow(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#elapsed
  }

  /** When the next sleeper wakes; null where nobody sleeps. */
  get nextWakeAt(): number | null {
    const next = this.#nextWake()
    return next === null ? null : this.#now + next - this.#elapsed
  }

  #nextWake(): number | null {
    return this.#sleepers.reduce<number | null>((min, { dueAt }) => (min === null ? dueAt : Math.min(min, dueAt)), null)
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true || ms <= 0) return
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        this.#forget(sleeper)
        resolve()
      }
      const wake = (): void => {
        // A signal that is listened to by every sleep of a day takes ever longer to listen to.
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const sleeper = { dueAt: this.#elapsed + ms, wake }
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', stop)
    })
  }

  after(ms: number, act: () => void): Disposable {
    const sleeper = { dueAt: this.#elapsed + ms, wake: act }
    this.#sleepers.push(sleeper)
    return { [Symbol.dispose]: () => this.#forget(sleeper) }
  }

  #forget(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
  }

  /** Moves time on, waking sleepers one by one as their time comes and letting what they start settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    await settleTurns()
    for (let next = this.#nextWake(); next !== null && next <= end; next = this.#nextWake()) {
      this.#pass(Math.max(0, next - this.#elapsed))
      const due = this.#sleepers.filter((sleeper) => sleeper.dueAt <= this.#elapsed)
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.dueAt > this.#elapsed)
      for (const sleeper of due) sleeper.wake()
      await settleTurns()
    }
    this.#pass(Math.max(0, end - this.#elapsed))
    await settleTurns()
  }

  #pass(ms: number): void {
    this.#elapsed += ms
    this.#now += ms
  }

  /** Time passes until the wall clock shows `to`, and nobody is woken meanwhile; one that is to go back is set. */
  jump(to: number): void {
    if (to < this.#now) this.set(to)
    else this.#pass(to - this.#now)
  }

  /** Sets the wall clock: no time passes, and who sleeps sleeps on for as long. */
  set(to: number): void {
    this.#now = to
  }
}

async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
}
