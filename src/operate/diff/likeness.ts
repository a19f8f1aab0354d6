import type { LoggedEvent } from '../../model/event.ts'
import type { ChannelSettings } from '../../model/subscription.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import type { messageContext } from '../message-context.ts'
import type { Verdict } from './outline-judge.ts'

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
  /** Whether the event shows its records, if it has any. */
  readonly hasRecords: boolean
  readonly rangAt: number
  readonly old: ToldEvent
  readonly new: ToldEvent
}

export interface Likeness {
  /** Whether an event is told alike: the same, at the same time, in the same place; null: only its records tell. */
  readonly isAlike: (told: ToldTwice) => Verdict
  /** Which of the records that events show that takes, but for single ones. */
  readonly needsRecords: 'all' | 'whole' | 'none'
}
