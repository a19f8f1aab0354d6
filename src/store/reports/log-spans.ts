/** Stretches of 4,096 places of the log, as the schema cuts it: `events.ref >> 12`. */
const PLACES = 4_096

export interface LogSpan {
  readonly span: number
  readonly events: number
  /** How many of them have no payload any more. */
  readonly expired: number
  /** When they rang. */
  readonly oldest: number
  readonly newest: number
}

export function spanOf(ref: number): number {
  return Math.floor(ref / PLACES)
}

export function placeBeforeSpan(span: number): number {
  return span * PLACES - 1
}

/** Whether all events of a span, none, or some of them can be sent and rang at or since. */
export function sendableIn(span: LogSpan | undefined, since: number): 'all' | 'none' | 'some' {
  if (span === undefined) return 'some'
  if (span.newest < since || span.expired === span.events) return 'none'
  return span.oldest >= since && span.expired === 0 ? 'all' : 'some'
}
