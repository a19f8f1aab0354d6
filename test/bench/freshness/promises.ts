import { AFTER_CLOSED, EVERY, LATENCY, SLOT } from './budget.ts'
import type { Channel, Course } from './scenario.ts'

/** When two units fall due at once, one of them waits for the next token. */
const TOLERANCE = SLOT + LATENCY

export interface Kept {
  /** Times that a unit went unread for longer than its `every`. */
  readonly broken: number
  /** The longest that any went unread beyond it, milliseconds; not above 0: none did. */
  readonly worst: number
}

/** Whether no row and no tracking goes unread for longer than its `every`. */
export class Promises {
  readonly #from: number
  readonly #kept: Record<Channel, { broken: number; worst: number }> = {
    list: { broken: 0, worst: Number.NEGATIVE_INFINITY },
    tracking: { broken: 0, worst: Number.NEGATIVE_INFINITY },
  }

  /** Gaps that begin earlier are those of the start. */
  constructor(from: number) {
    this.#from = from
  }

  /** A unit was unread from one instant to another. */
  note(course: Course, channel: Channel, gap: { readonly from: number; readonly to: number }): void {
    if (gap.from < this.#from || (channel === 'tracking' && gap.to >= course.closedAt + AFTER_CLOSED)) return
    const over = gap.to - gap.from - EVERY[channel]
    const kept = this.#kept[channel]
    if (over > TOLERANCE) kept.broken += 1
    kept.worst = Math.max(kept.worst, over)
  }

  kept(channel: Channel): Kept {
    return this.#kept[channel]
  }
}
