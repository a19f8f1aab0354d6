import type { EventDraft } from '../model/event.ts'
import type { DatedSubject, NotifiedDate, RoutedDate } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchesAccount } from './matches.ts'
import { carriedDates, datedSubject, isDateShift, type CarriedDate } from './carried-dates.ts'

/** The dates of one account that subscriptions with `min_shift` were sent, while events are routed one after another. */
export class NotifiedDates {
  readonly #known: Map<string, NotifiedDate>
  readonly #changed = new Map<string, NotifiedDate>()

  constructor(known: readonly NotifiedDate[]) {
    this.#known = new Map(known.map((each) => [keyOf(each), each]))
  }

  /** What is to be remembered, beyond what was known and what was taken before. */
  takeChanges(): readonly NotifiedDate[] {
    const changes = [...this.#changed.values()]
    this.#changed.clear()
    return changes
  }

  /**
   * Whether `min_shift` lets an event pass: anything but a date change does, and a date change that is as far as `min_shift`
   * from the value last sent; so does one without a distance (a date that came, went or cannot be read).
   */
  passes({ name, minShiftMs }: Subscription, event: EventDraft): boolean {
    if (minShiftMs === null || !isDateShift(event)) return true
    return carriedDates(event).every((carried) => {
      const known = this.#find(name, event, carried.date)
      const base = known === undefined ? (carried.from ?? null) : known.instant
      return base === null || carried.to === null || Math.abs(carried.to - base) >= minShiftMs
    })
  }

  /** What a subscription with `min_shift` was sent last of the date of a change, where that is not what it changed from. */
  lastTold({ name, minShiftMs }: Subscription, event: EventDraft): number | null {
    if (minShiftMs === null || !isDateShift(event)) return null
    const [carried] = carriedDates(event)
    const base = carried === undefined ? null : (this.#find(name, event, carried.date)?.instant ?? null)
    return base === carried?.from ? null : base
  }

  /** Remembers the date that an event brought a subscription, or, where it was not sent, what its date first changed from. */
  remember(subscription: Subscription, event: EventDraft, sent: boolean): void {
    const { name, minShiftMs } = subscription
    const subject = datedSubject(event)
    if (minShiftMs === null || subject === null || !matchesAccount(subscription, event)) return
    for (const carried of carriedDates(event)) {
      const known = this.#find(name, event, carried.date)
      const instant = sent ? carried.to : carried.from
      if (instant === undefined || (!sent && known !== undefined)) continue
      this.#set({ subscription: name, subject, date: carried.date, instant, version: event.subject.version })
    }
  }

  #find(subscription: string, event: EventDraft, date: CarriedDate['date']): NotifiedDate | undefined {
    const subject = datedSubject(event)
    return subject === null ? undefined : this.#known.get(keyOf({ subscription, subject, date }))
  }

  #set(notified: NotifiedDate): void {
    const key = keyOf(notified)
    const known = this.#known.get(key)
    if (known === undefined && notified.instant === null) return
    if (known !== undefined && known.version >= notified.version) return
    this.#known.set(key, notified)
    this.#changed.set(key, notified)
  }
}

interface Keyed {
  readonly subscription: string
  readonly subject: DatedSubject
  readonly date: RoutedDate
}

function keyOf({ subscription, subject, date }: Keyed): string {
  return JSON.stringify([subscription, subject.resource, subject.id, date])
}
