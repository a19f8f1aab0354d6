import type { EventLink } from '../../model/event-link.ts'
import type { Watchable } from '../../model/resource.ts'
import type { Milestone } from '../../model/shipment.ts'
import type { Severity } from '../../model/severity.ts'

/** What a fact is about, whatever it is called in a language. */
export type FactName =
  | ('from' | 'to' | 'date' | 'moved' | 'difference' | 'first_known' | 'told_late_by')
  | ('number' | 'reference' | 'amount' | 'due_date' | 'status' | 'sent')
  | ('event' | 'container' | 'place' | 'when' | 'before' | 'position' | 'tracking')
  | ('type' | 'shipment' | 'uploaded' | 'supplier' | 'line' | 'product' | 'ordered' | 'shipped' | 'lines')
  | ('ex_factory' | 'desired_delivery' | 'expected_delivery' | 'company' | 'address' | 'opening_hours' | 'name')
  | ('mode' | 'pickup' | 'references' | 'route' | 'carrier' | 'containers' | 'orders' | 'bills' | 'account')

/** What is counted. */
export type CountedWord =
  | ('event' | 'more' | 'moreLines' | 'moreCurrencies' | 'line')
  | ('moreChanges' | 'moreEntries' | 'overdue' | 'newInvoice' | 'paid')
  | ('fallingDue' | 'critical' | 'warning' | 'good' | 'neutral' | 'later' | 'earlier')
  | ('ordersAtRisk' | 'ordersOnTrack' | 'ordersDelivered' | 'ordersMoved')
  | ('linesAssigned' | 'linesTakenOff')

/** With `{n}`, and `{order}` where lines of an order are counted. */
interface Count {
  readonly one: string
  readonly other: string
}

/** What is said of dates, with `{from}`, `{to}`, the status of each and how far it went. */
interface DateTerms {
  readonly none: string
  /** Less than a minute. */
  readonly moments: string
  readonly later: string
  readonly earlier: string
  /** Stands for the status of a date that has none. */
  readonly set: string
  readonly moved: string
  readonly appeared: string
  readonly went: string
  /** What is said where only the status of a date is another. */
  readonly restated: string
  readonly changed: string
  readonly corrected: string
  readonly not: string
  readonly takenBack: string
  readonly knownBefore: string
  readonly nowInstead: string
}

/** What only messages about several events say. */
interface SummaryTerms {
  /** What is said where everything that changed is back. */
  readonly returned: string
  /** A span of time: `{from} to {to}`. */
  readonly range: string
  /** `{n}` events about one kind of record. */
  readonly eventsAbout: string
  readonly ofAccount: string
  readonly otherTypes: string
  readonly net: string
}

/** What tests say that tell of what did not happen. */
interface TestTerms {
  /** Before the sentence, so that a title and a subject begin with it. */
  readonly mark: string
  /** Below it, a line of its own. */
  readonly note: string
}

/** What only mails say. */
interface MailTerms {
  readonly footer: string
  /** Above the parts of a mail about several events. */
  readonly needs: string
  readonly slipped: string
  readonly invoices: string
  readonly done: string
  readonly others: string
  /** What is counted and not shown, and where to read it. */
  readonly rest: string
  readonly hidden: string
  readonly week: string
}

/**
 * The words of one language beside its sentences. A text with `{names}` has the same ones in every language (a test compares).
 * English has all of them; `withEnglish` completes those of another language.
 */
export interface Terms {
  readonly labels: Readonly<Record<FactName, string>>
  /** What the platform's words are called, statuses and fields alike; of others the underscores become spaces. */
  readonly words: Readonly<Record<string, string>>
  readonly watched: Readonly<Record<Watchable, { readonly one: string; readonly many: string }>>
  /** What stands in front of a date. */
  readonly milestones: Readonly<Record<Milestone, string>>
  readonly counts: Readonly<Record<CountedWord, Count>>
  readonly tones: Readonly<Record<Severity, string>>
  readonly links: Readonly<Record<EventLink['to'], string>>
  /** What one presses in a chat, and who pressed it. */
  readonly buttons: { readonly acknowledge: string; readonly open: string; readonly acknowledged: string }
  readonly dates: DateTerms
  readonly money: { readonly amount: string; readonly noCurrency: string }
  readonly tracking: { readonly anEvent: string; readonly ofContainer: string; readonly at: string }
  readonly voyage: string
  readonly flight: string
  readonly seal: string
  readonly shippedIn: string
  /** With the space that the language puts before it. */
  readonly colon: string
  readonly summary: SummaryTerms
  /** What a message says first that tells again of what is still open, and what comes before the instant since when it is. */
  readonly reminder: { readonly mark: string; readonly since: string }
  readonly test: TestTerms
  readonly mail: MailTerms
}
