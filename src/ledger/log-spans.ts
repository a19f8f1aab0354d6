/** The log is counted in stretches of so many places. */
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

/** How many events of each span are among these, which lose their payloads, or go. */
export function countBySpan(refs: readonly number[]): ReadonlyMap<number, number> {
  const amounts = new Map<number, number>()
  for (const span of refs.map(spanOf)) amounts.set(span, (amounts.get(span) ?? 0) + 1)
  return amounts
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
