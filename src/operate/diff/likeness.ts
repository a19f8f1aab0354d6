import type { LoggedEvent } from '../../model/event.ts'
import type { ChannelSettings } from '../../model/subscription.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import type { LoggedRecords } from '../../store/ports/log-port.ts'
import type { messageContext } from '../message-context.ts'
import type { Verdict } from './verdicts.ts'

/** How a subscription tells its events. */
export interface Telling {
  readonly channel: ChannelSettings
  /** Where its events go; texts that are equal say the same place. */
  readonly target: string
  readonly context: ReturnType<typeof messageContext>
}

/** One event, told under each of two configurations. */
export interface ToldTwice {
  readonly event: LoggedEvent
  /** Whether the event shows its record, if it has any. */
  readonly hasRecord: boolean
  /** Whether it also shows what that was before. */
  readonly hasBefore: boolean
  readonly rangAt: number
  readonly old: ToldEvent
  readonly new: ToldEvent
}

export interface Likeness {
  /** Whether an event is told alike: the same, at the same time, in the same place; null: only its records tell. */
  readonly isAlike: (told: ToldTwice) => Verdict
  /** Which of the records that events show that takes, but for single ones. */
  readonly needsRecords: LoggedRecords
  /** Which of them the single ones take. */
  readonly needsOfSingle: 'all' | 'shown'
}
