import type { Json, JsonObject } from './json.ts'
import type { ShipmentSummary } from './shipment.ts'
import type { SubjectResource } from './resource.ts'
import type { EventType } from './event-catalogue.ts'

export type Cause =
  | 'change'
  | 'calendar'
  | 'correction'
  | 'derived'
  | 'reminder'
  | 'snapshot'
  | 'watermark'
  | 'replay'
  | 'test'

/**
 * One changed leaf. `path` is a JSON Pointer into the record as it is now; with `removed: true`, which stands for what is
 * no longer there, into the record as it was. `from` and `to` are the values as sent, null where absent.
 */
export interface Change {
  readonly path: string
  readonly from: Json
  readonly to: Json
  readonly removed?: true
}

/** When a change happened, as far as reads can tell (milliseconds since the Unix epoch). */
export interface Observed {
  /** When the request of the last read with the old value was sent; null where there was no read before. */
  readonly notBefore: number | null
  /** When the first answer with the new value arrived. */
  readonly notAfter: number
}

/** An event before it is stored: everything but its place in the account's sequence. */
export interface EventDraft {
  readonly id: string
  readonly type: EventType
  /** The account; null for `endpoint.*` and `shipbell.test`. */
  readonly account: string | null
  readonly subject: {
    readonly resource: SubjectResource
    readonly id: string
    readonly version: number
    readonly previousEventId: string | null
  }
  readonly timestamp: number
  readonly observed: Observed | null
  readonly cause: Cause
  /** The record `data.object` shows and the one `data.previous` is cut from; null where there is none. */
  readonly object: JsonObject | null
  readonly before: JsonObject | null
  /** The changed leaves; null for events of a whole record, calendar and service events. */
  readonly changes: readonly Change[] | null
  readonly shipment: ShipmentSummary | null
  /** What this type adds to `data` (guarantee E1). */
  readonly extras: JsonObject
}

/** A stored event. `sequence` increases strictly per account; an addressed one has none that counts (`sequenceOf`). */
export interface ShipbellEvent extends EventDraft {
  readonly sequence: number
}

/** The place of an event in the series of its account; null: an addressed one has none, because it tells nothing new. */
export function sequenceOf({ cause, sequence }: Pick<ShipbellEvent, 'cause' | 'sequence'>): number | null {
  return isAddressed({ cause }) ? null : sequence
}

/** Why events are made for one subscription alone. */
export const ADDRESSED_CAUSES = ['reminder', 'snapshot', 'watermark'] as const satisfies readonly Cause[]

/** An event for one subscription alone, which no pattern routes. It tells nothing new: it is in the log, and in no list, stream, count or sum. */
export interface AddressedEvent {
  readonly event: EventDraft
  readonly subscription: string
}

/** Whether an event was made for one subscription alone (`AddressedEvent`). */
export function isAddressed({ cause }: { readonly cause: string }): boolean {
  return ADDRESSED_CAUSES.some((each) => each === cause)
}

/** An event as the log keeps it. */
export interface LoggedEvent extends ShipbellEvent {
  /**
   * When its payload expired (guarantee S9); null: not yet. From then on only the envelope is left: `object`, `before`,
   * `changes` and `shipment` are null and `extras` names at most what it `corrects`, so it can be shown but never sent.
   */
  readonly expiredAt: number | null
}

/** The event with some parts in place of its own. Those of a stored one may be made as they are asked for: a spread would lose them. */
export function alteredEvent(event: ShipbellEvent, parts: Partial<ShipbellEvent>): ShipbellEvent {
  const { id, type, account, sequence, subject, timestamp, observed, cause, object, before, changes, shipment } = event
  const { extras } = event
  const envelope = { id, type, account, sequence, subject, timestamp, observed, cause }
  return { ...envelope, object, before, changes, shipment, extras, ...parts }
}
