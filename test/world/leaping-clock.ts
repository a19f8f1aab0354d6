import { FakeClock } from '../support/fake-clock.ts'

/** Nobody else waits on it, so a sleeper need not. */
export class LeapingClock extends FakeClock {
  override async sleep(ms: number): Promise<void> {
    this.jump(this.now() + Math.max(ms, 0))
  }
}
