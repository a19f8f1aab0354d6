import type { Change, EventDraft, ShipbellEvent } from './event.ts'
import { field, type Json, type JsonObject } from './json.ts'
import { firstToken } from './pointer.ts'

/** `data` of a payload (guarantee P4), the same in every format. A document's `link` is never in it. */
export function eventData(event: ShipbellEvent): JsonObject {
  const object = event.object === null ? {} : { object: shownRecord(event, event.object) }
  return { ...object, ...dataBesidesObject(event) }
}

/** What follows `object`, which comes first. */
export function dataBesidesObject(event: ShipbellEvent): JsonObject {
  return { ...changesOf(event), ...thinData(event) }
}

/** Whether `data.object` is the record as it was read, nothing left out. */
export function showsWholeRecord(event: AboutRecord): boolean {
  return hiddenField(event) === null
}

/** `data` of a thin payload: without `object`, `previous` and `changes`. */
export function thinData(event: ShipbellEvent): JsonObject {
  const shipment = event.shipment === null ? {} : { shipment: { ...event.shipment } }
  return { ...shipment, ...event.extras }
}

function changesOf(event: ShipbellEvent): JsonObject {
  const changes = shownChanges(event)
  if (changes === null) return {}
  return { previous: previousFields(event.before, changes), changes: changes.map(changeJson) }
}

/** What follows `object` in `data`, part by part, each as JSON or null where it is not there. */
export interface DataTexts {
  /** The record as it was before, as JSON; null also where it is not at hand. */
  readonly previous: string | null
  readonly changes: string | null
  readonly shipment: string | null
  readonly extras: string
}

/** The texts of `data` that are kept with an event, so that it is sent without being put together anew. */
export function dataTexts(event: EventDraft): DataTexts {
  const { changes, shipment, extras } = event
  return {
    previous:
      changes === null || !showsWholeRecord(event) ? null : JSON.stringify(previousFields(event.before, changes)),
    changes: changes === null ? null : JSON.stringify(changes.map(changeJson)),
    shipment: shipment === null ? null : JSON.stringify(shipment),
    extras: JSON.stringify(extras),
  }
}

/** `dataBesidesObject` as JSON, of an event that shows the whole record; undefined: what it was is not at hand. */
export function restOfData({ previous, changes, shipment, extras }: DataTexts): string | undefined {
  if (changes !== null && previous === null) return undefined
  const changed = changes === null ? '' : `"previous":${previous},"changes":${changes}`
  const placed = shipment === null ? changed : `${withComma(changed)}"shipment":${shipment}`
  return extras === '{}' ? `{${placed}}` : `{${withComma(placed)}${extras.slice(1)}`
}

function withComma(members: string): string {
  return members === '' ? '' : `${members},`
}

/** The changes of an event as anybody may see them; null where it has none. */
export function shownChanges(event: Pick<ShipbellEvent, 'changes' | 'subject'>): readonly Change[] | null {
  const hidden = hiddenField(event)
  if (event.changes === null || hidden === null) return event.changes
  return event.changes.filter(({ path }) => firstToken(path) !== hidden)
}

/** The changed top-level fields as they were; null for those that were not there. */
function previousFields(before: JsonObject | null, changes: readonly Change[]): JsonObject {
  const fields = new Map<string, Json>()
  for (const { path } of changes) {
    const name = firstToken(path)
    if (name !== undefined) fields.set(name, field(before ?? undefined, name) ?? null)
  }
  return Object.fromEntries(fields)
}

function changeJson({ path, from, to, removed }: Change): JsonObject {
  return removed === true ? { path, from, to, removed } : { path, from, to }
}

/** A record as anybody may see it. */
export function shownRecord(event: AboutRecord, object: JsonObject): JsonObject {
  const name = hiddenField(event)
  if (name === null || !Object.hasOwn(object, name)) return object
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

interface AboutRecord {
  readonly subject: Pick<ShipbellEvent['subject'], 'resource'>
}

/** A presigned link is a credential: whoever holds it reads the document. */
function hiddenField({ subject }: AboutRecord): string | null {
  return subject.resource === 'document' ? 'link' : null
}
