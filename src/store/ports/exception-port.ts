import type { Acknowledgement, ExceptionKey, ExceptionState, KeptException } from '../../model/exception.ts'
import type { Page, PageQuery } from '../../model/page.ts'
import type { AccountChoice } from '../../model/scope.ts'
import type { DueReminder } from '../../model/reminder.ts'
import type { DueQuery } from './record-port.ts'

/** What is not well, as people look for it, and what they say of it. Exceptions are opened and closed by commits (`CommitStore`). */
export interface ExceptionStore {
  /**
   * Exceptions, the one that was opened last first, unless it is asked for otherwise. A page costs the same wherever it lies: where few of those that are looked at
   * match, it shows fewer and says where to go on. Throws `bad_cursor` for a cursor that is not of such a list.
   */
  exceptionPage(query: ExceptionQuery): Promise<Page<KeptException>>

  /** How many are open, by account and type. */
  exceptionCounts(now: number): Promise<readonly ExceptionCount[]>

  /** Acknowledges an open exception, in place of what was said of it before; null: takes that back. */
  acknowledge(id: string, acknowledgement: Acknowledgement | null): Promise<'done' | 'closed' | 'unknown'>
}

export interface ExceptionQuery extends PageQuery, AccountChoice {
  /** By which it is judged whether an acknowledgement still counts. */
  readonly now: number
  readonly type?: string
  readonly subjectId?: string
  /** Several subjects, in place of one. */
  readonly subjectIds?: readonly string[]
  /** The states that are asked for; left out: all. */
  readonly states?: readonly ExceptionState[]
  /** An id, or the beginning of one. */
  readonly named?: string
  /** The heaviest first, of these the one that was opened first; closed ones are in no such list. */
  readonly heaviestFirst?: boolean
}

export interface ExceptionCount {
  readonly account: string
  readonly type: string
  /** How many of the open ones nobody has acknowledged. */
  readonly open: number
  readonly acknowledged: number
}

/** What of exceptions waits for an instant. */
export interface ExceptionTimeStore {
  /** What is due of an account in a range of instants, earliest first: at most so many of each kind. Cheap where nothing is. */
  exceptionsDue(account: string, query: DueQuery): Promise<DueExceptions>
}

export interface DueExceptions {
  readonly ending: readonly EndingException[]
  readonly reminders: readonly DueReminder[]
}

/** An exception that closes by itself. */
export interface EndingException extends ExceptionKey {
  readonly endsAt: number
}
