import type { DueRange } from '../../model/due-choice.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Page, PageQuery } from '../../model/page.ts'
import type { RecordOrder } from '../../model/record-order.ts'
import type { AccountChoice } from '../../model/scope.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { Milestone } from '../../model/shipment.ts'

/**
 * Records as people look for them. A page costs the same wherever it lies, however many records there are: where few of those
 * that are looked at match, it shows fewer and says where to go on. Throws `bad_cursor` for a cursor that is not of such a list.
 */
export interface RecordQueryStore {
  /**
   * Records in the order that is asked for; without one those whose id is the text first, then those that have a term that is it, then
   * those that have one that begins with it, each the newest first; without `q` the one that falls due first, or the one with the newest
   * event. Of many finds in an order it looks through some thousand records for each page.
   */
  recordPage(query: RecordQuery | SearchQuery): Promise<Page<RecordSummary>>
  /** What an account's invoices come to that have yet to be paid, the one that falls due first at the top. */
  dueTotals(query: DueTotalsQuery): Promise<Page<DueTotals>>
  /** What is known of one record; null where no such record was ever read. */
  recordDetail(key: RecordKey): Promise<RecordDetail | null>
  /**
   * Dates of shipments that moved since, the largest drift first, later or earlier. Of a long time it looks at 2,000 days at most,
   * those of each account counted: the newest.
   */
  slips(query: SlipQuery): Promise<Page<Slip>>
}

export interface RecordKey {
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
}

/** What a list of records is narrowed by, beside a text; what is undefined is left out. */
export interface RecordFilters {
  /** Exactly this status. */
  readonly status?: string | undefined
  readonly carrier?: string | undefined
  /** The lane, as `RecordSummary.lane` has it. */
  readonly lane?: string | undefined
  /** The freight mode of shipments. */
  readonly mode?: string | undefined
  /** Only what arrives from the first instant on, and before the second one; null: no bound. */
  readonly arrives?: { readonly from: number | null; readonly before: number | null } | undefined
  /** Whether it is neither finished, cancelled, settled, delivered nor gone. */
  readonly open?: boolean | undefined
  /** Only invoices that have yet to be paid and fall due on these days; accounts differ in what day it is. */
  readonly due?: ((account: string) => DueRange) | undefined
}

export interface RecordQuery extends PageQuery, AccountChoice, RecordFilters {
  readonly resource: RecordResource
  /**
   * Words that are all to be found: parts, of three characters and more, of ids, names, purchase orders, containers, bills, references,
   * carriers, vessels and ports (codes and names); shorter ones begin one of these or a word of it. Without case, accents, spaces and
   * dashes. Other records are found by the shipments that they name, too. Blank: as if it were left out.
   */
  readonly q?: string | undefined
  readonly order?: RecordOrder | undefined
}

export interface DueTotalsQuery extends PageQuery {
  readonly account: string
  readonly due: DueRange
}

/** An invoice that has yet to be paid, and what it comes to. */
export type DueTotals = Pick<RecordSummary, 'id' | 'totals'>

/** A search in all resources, the best finds first. */
export interface SearchQuery extends Omit<RecordQuery, 'resource' | 'q'> {
  readonly resource?: undefined
  readonly q: string
}

export interface RecordSummary extends RecordKey {
  readonly name: string | null
  readonly status: string | null
  /** When it was learnt that it is gone; null while it exists. */
  readonly removedAt: number | null
  readonly version: number
  readonly lastReadAt: number
  /** When the record rang last; null: it never did. */
  readonly lastEventAt: number | null
  /** The calendar date (`YYYY-MM-DD`) on which an invoice falls due that has yet to be paid. */
  readonly dueOn: string | null
  readonly carrier: string | null
  /** UN/LOCODEs of a shipment's ports, from and to: `CNSHA → NLRTM`. */
  readonly lane: string | null
  /** A shipment's freight mode, an invoice's type. */
  readonly kind: string | null
  readonly isOpen: boolean
  /** When a shipment arrives, or an order is expected to be delivered; null: nothing is known of it. */
  readonly etaAt: number | null
  /** Minutes from the first value of that date, or from what an order desires. */
  readonly drift: number | null
  /** What an invoice comes to, by currency, in JSON; null: nobody can say, or nobody looked since an upgrade. */
  readonly totals: string | null
}

export interface RecordDetail extends RecordSummary {
  /** The record as the platform sent it last; null: reads showed nothing (a tracking that answered 404). */
  readonly object: JsonObject | null
  readonly firstSeenAt: number
  /** The values that a shipment's dates had, oldest first, the newest 500 of each; of other records, none. */
  readonly dates: Readonly<Partial<Record<Milestone, readonly DateValue[]>>>
}

/** One value of a milestone's date. */
export interface DateValue {
  /** The date as sent; null: there was none. */
  readonly date: string | null
  readonly status: string | null
  /** When the first answer with it had arrived; null: that is not known. */
  readonly seenAt: number | null
  /** When the event that reported it rang, and its id; null: it was learnt silently. */
  readonly toldAt: number | null
  readonly eventId: string | null
}

export interface SlipQuery extends PageQuery, AccountChoice {
  /** The date moved at or after. */
  readonly since: number
  readonly carrier?: string
  /** The lane, as `Slip.lane` has it. */
  readonly lane?: string
}

export interface Slip {
  readonly account: string
  /** The shipment's id and name. */
  readonly shipment: string
  readonly name: string | null
  readonly milestone: Milestone
  /** Instants: the first value that was ever seen, and the one of now. */
  readonly first: number
  readonly now: number
  /** `now` − `first`. */
  readonly driftMinutes: number
  /** Distinct instants seen. */
  readonly revisions: number
  readonly movedAt: number
  readonly carrier: string | null
  /** UN/LOCODEs of the ports, from and to: `CNSHA → NLRTM`. */
  readonly lane: string | null
}
