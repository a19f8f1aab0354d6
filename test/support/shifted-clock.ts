import { systemClock, type Clock } from '../../src/clock.ts'

/** The system's clock on another day: it goes as fast, from where it was set to. */
export class ShiftedClock implements Clock {
  #ahead: number

  constructor(now: number) {
    this.#ahead = now - systemClock.now()
  }

  now(): number {
    return systemClock.now() + this.#ahead
  }

  monotonic(): number {
    return systemClock.monotonic()
  }

  calendarNow(): number {
    return this.now()
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await systemClock.sleep(ms, signal)
  }

  after(ms: number, act: () => void): Disposable {
    return systemClock.after(ms, act)
  }

  /** Sets it on, without waking anybody. */
  skip(ms: number): void {
    this.#ahead += ms
  }
}
