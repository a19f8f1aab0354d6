import type { EventType } from './event-catalogue.ts'
import type { SubjectResource } from './resource.ts'
import type { Severity } from './severity.ts'
import type { Milestone } from './shipment.ts'

/** What an exception is about; at most one of each is open. */
export interface ExceptionKey {
  readonly account: string
  readonly resource: SubjectResource
  readonly subjectId: string
  /** The type of the event that opens it. */
  readonly type: EventType
  /** The milestone of a shipment; '': none. */
  readonly milestone: Milestone | ''
  /** The name of an expectation; '': none. */
  readonly expectation: string
}

/** An exception that stands although no event said so: it is open from the commit on, and rings nothing. */
export interface SilentOpening {
  readonly type: EventType
  readonly subject: { readonly resource: SubjectResource; readonly id: string }
  readonly milestone?: Milestone
  readonly expectation?: string
  /** How bad it is; left out: as its type has it. */
  readonly severity?: Severity
  /** When it was learnt that it stands. */
  readonly at: number
}

/** Closes all open exceptions of the account that have what is named here. */
export interface SilentClosing {
  readonly type?: EventType
  readonly resource?: SubjectResource
  readonly subjectId?: string
  readonly milestone?: Milestone
  readonly expectation?: string
  /** The event that closes it, or why it closes: `removed`, `cancelled`, `finished`, `unwatched` (neither watched nor configured any more). */
  readonly by: string
  readonly at: number
}

/** What a commit does to exceptions beside what follows from its events: behind these, first what closes, then what opens. */
export interface ExceptionNews {
  readonly opens?: readonly SilentOpening[]
  readonly closes?: readonly SilentClosing[]
}

/** Who knows of an exception, since when, what they say, and until when that is enough; null: until it closes. */
export interface Acknowledgement {
  /** `cli`, `token`, the name of a narrower token, or a person of a chat. */
  readonly by: string
  readonly at: number
  readonly note: string | null
  readonly until: number | null
}

export const EXCEPTION_STATES = ['open', 'acknowledged', 'closed'] as const
export type ExceptionState = (typeof EXCEPTION_STATES)[number]

/** How many characters a note has at most, whoever says it. */
export const LONGEST_NOTE = 2_000

/** An exception as the store has it. */
export interface KeptException extends ExceptionKey {
  readonly id: string
  readonly severity: Severity
  readonly openedAt: number
  /** The event that opened it; null: it was opened in silence. */
  readonly eventId: string | null
  readonly acknowledged: Acknowledgement | null
  readonly closedAt: number | null
  /** An event or a reason; null: it is open. */
  readonly closedBy: string | null
}

/** An acknowledgement counts until its end, or until the exception closes. */
export function exceptionState(
  { acknowledged, closedAt }: Pick<KeptException, 'acknowledged' | 'closedAt'>,
  now: number,
): ExceptionState {
  if (closedAt !== null) return 'closed'
  return acknowledged !== null && (acknowledged.until === null || acknowledged.until > now) ? 'acknowledged' : 'open'
}
