import type { EventType } from './event-catalogue.ts'
import type { Acknowledgement, ExceptionKey } from './exception.ts'

/** Which exceptions a subscription is told again while they are open, and how often (guarantee E14). */
export interface RemindSettings {
  readonly everyMs: number
  /** The types of events that open them. */
  readonly of: readonly EventType[]
}

/** A subscription that is sent the event that opens an exception, and is to be told of that again. */
export interface NewReminder {
  readonly eventId: string
  readonly subscription: string
  readonly dueAt: number
}

/** A reminder, and when its exception is told next. */
export interface ReminderStep {
  /** The row of its exception. */
  readonly exception: number
  readonly subscription: string
  /** How many were sent. */
  readonly number: number
  /** When the next one is due; null: there is none any more. */
  readonly dueAt: number | null
}

/** An exception that is to be told again now, unless something speaks against it. */
export interface DueReminder extends ExceptionKey {
  readonly exception: number
  readonly id: string
  readonly openedAt: number
  /** What the opening event says beside its record, as JSON. */
  readonly told: string | null
  readonly acknowledged: Pick<Acknowledgement, 'until'> | null
  readonly subscription: string
  readonly number: number
  readonly dueAt: number
  /** Whether the opening event was delivered to the subscription. */
  readonly wasSent: boolean
  /** Whether the endpoint was disabled other than in its file: all that is made for it is held. */
  readonly isDisabled: boolean
}

/** When an exception is told next after an instant: at whole steps from when it opened, so not all at midnight. */
export function nextReminderAt(openedAt: number, everyMs: number, now: number): number {
  return openedAt + everyMs * (Math.max(Math.floor((now - openedAt) / everyMs), 0) + 1)
}
