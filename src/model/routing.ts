import type { Milestone } from './shipment.ts'

/** A date that `min_shift` compares: a milestone of a shipment, the due date of an invoice, or the expected delivery of an order. */
export type RoutedDate = Milestone | 'due' | 'expected'

export interface DatedSubject {
  readonly resource: 'shipment' | 'invoice' | 'purchase_order'
  readonly id: string
}

/** The value of a date that its next change is compared with, for one subscription with `min_shift`. */
export interface NotifiedDate {
  readonly subscription: string
  readonly subject: DatedSubject
  readonly date: RoutedDate
  /** The value last sent to the subscription; before that the one it first changed from. null: there was no date. */
  readonly instant: number | null
  /** The subject's version whose event brought it: of two values the later one holds. */
  readonly version: number
}

/** Dates of the subjects of one account. */
export interface AccountDates {
  readonly account: string | null
  readonly dates: readonly NotifiedDate[]
}

/**
 * What routing events of one account must know of the past. `route` is a function of events, subscriptions and this. The dates
 * that it returns commit with the events and deliveries; each is guarded by the version of its subject.
 */
export interface RoutingState {
  /** The account's `sequence` so far. */
  readonly lastSequence: number
  readonly dates: readonly NotifiedDate[]
}

/** The dates that routing asks for: every date of every subject for every subscription. */
export interface RoutingQuery {
  readonly subscriptions: readonly string[]
  readonly subjects: readonly DatedSubject[]
}
