import type { EventDraft } from '../model/event.ts'
import type { ExceptionNews } from '../model/exception.ts'
import type { JsonObject } from '../model/json.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { ShipmentSummary } from '../model/shipment.ts'
import type { CalendarSettings } from './calendar/calendar-settings.ts'

/** One record as a read showed it, beside what was known of it. */
export interface DetectInput {
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  /** What was known of the record; null: it was never read before. */
  readonly before: RecordState | null
  /** The record that the read showed; null: nothing (a tracking that answered 404). */
  readonly after: JsonObject | null
  readonly read: Read
  /** `silent`: learn it, ring nothing (baseline). */
  readonly mode: 'ring' | 'silent'
  /** For a record never read before: when the last read that could have shown it was sent. */
  readonly absentAt: number | null
  /** JSON Pointers of what is no change, `*` for any element or key; the same list for every record of a resource. */
  readonly ignore: readonly string[]
  /** Fields outside the interface whose first value in a record is no change, likewise (guarantee D8). */
  readonly absorbed?: readonly string[]
  /** The shipment that the record belongs to, where it is known; for a shipment it is made from the record itself. */
  readonly shipment: ShipmentSummary | null
  /** Where people and programs reach the admin interface, without a slash at the end; null or left out: nowhere. */
  readonly publicUrl?: string | null
  /** How long changed estimates wait; left out: they ring at once. */
  readonly settleMs?: number
  /** By what the calendar judges the record; left out: the record has no calendar. */
  readonly calendar?: CalendarSettings
}

export interface Detected {
  readonly state: RecordState
  /** The events in the order they ring; versions and `previousEventId` are chained through them. */
  readonly events: readonly EventDraft[]
  /** What opens or closes in silence; left out: nothing. */
  readonly exceptions?: ExceptionNews
}

/** Records nested deeper are not believed; every recursion of this room is bounded by it. */
export const DEEPEST = 100
