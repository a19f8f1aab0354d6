/** What the calendar of one account is judged by. */
export interface CalendarSettings {
  /** IANA name: days begin and end there. */
  readonly timeZone: string
  /** Leads of `invoice.due_soon`. */
  readonly dueSoonMs: readonly number[]
  /** How long after a planned or estimated date `shipment.milestone_overdue` rings. */
  readonly milestoneGraceMs: number
  /** The calendar's present (milliseconds since the Unix epoch). */
  readonly now: number
}
