import { FakeClock } from '../support/fake-clock.ts'

/** Nobody else waits on it, so a sleeper need not. Its calendar stands still until it is turned to the present. */
export class LeapingClock extends FakeClock {
  #today: number

  constructor(start: number) {
    super(start)
    this.#today = start
  }

  override calendarNow(): number {
    return this.#today
  }

  turnCalendar(): void {
    this.#today = this.now()
  }

  override async sleep(ms: number): Promise<void> {
    this.jump(this.now() + Math.max(ms, 0))
  }
}
