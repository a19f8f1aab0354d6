import { shownChanges } from './event-data.ts'
import { alteredEvent, type Change, type EventDraft, type ShipbellEvent } from './event.ts'
import { isJsonArray, isJsonObject, rawEqual, type Json, type JsonObject } from './json.ts'
import { parsePointer } from './pointer.ts'
import { isRecordResource, type RecordResource, type SubjectResource } from './resource.ts'
import type { ShipmentSummary } from './shipment.ts'
import { shownIn, SUMMARY_FIELDS, type ShownField } from './shown-fields.ts'

/** What a subscription leaves out of records, as configured: JSON Pointers, of all resources or behind `RESOURCE:` of one. */
export type LeftOut = readonly string[]

/** Ways to what is left out of a value; the empty way is the value itself. */
type Ways = readonly (readonly string[])[]

/** The step of a pointer that stands for any name or element. */
export const ANY = '*'
const INDEX = /^(?:\d+|\*)$/
const NOTHING: Ways = []

/** The resource that a pointer is of, null where it is of all, and the pointer. */
export function splitOmitted(text: string): { readonly resource: string | null; readonly pointer: string } {
  const end = text.startsWith('/') ? -1 : text.indexOf(':')
  return end === -1 ? { resource: null, pointer: text } : { resource: text.slice(0, end), pointer: text.slice(end + 1) }
}

/** Settings are frozen, so a list is compiled once for each resource. */
const COMPILED = new WeakMap<LeftOut, Map<RecordResource, Ways>>()

function waysOf(omit: LeftOut, resource: RecordResource): Ways {
  const known = COMPILED.get(omit) ?? new Map<RecordResource, Ways>()
  COMPILED.set(omit, known)
  const ways = known.get(resource) ?? compile(omit, resource)
  known.set(resource, ways)
  return ways
}

function compile(omit: LeftOut, resource: RecordResource): Ways {
  const own = omit.map(splitOmitted).filter((each) => each.resource === null || each.resource === resource)
  return own.map(({ pointer }) => parsePointer(pointer))
}

/** The event as a subscription gets it that leaves this out, if anything. What shows something of it beside the record is null. */
export function withoutOmitted(event: ShipbellEvent, omit: LeftOut | undefined): ShipbellEvent {
  if (omit === undefined) return event
  const { before, changes, object, shipment, subject } = event
  const ways = ownWays(omit, subject.resource)
  return alteredEvent(event, {
    object: object === null ? null : recordWithout(object, ways),
    before: before === null ? null : recordWithout(before, ways),
    changes: changes === null ? null : changesWithout(changes, ways),
    shipment: shipment === null ? null : summaryWithoutOmitted(shipment, omit),
    extras: extrasWithout(event, omit),
  })
}

/** The shipment of an event, as far as it stands with the event, without what is left out. */
export function summaryWithoutOmitted(summary: ShipmentSummary, omit: LeftOut | undefined): ShipmentSummary {
  return omit === undefined ? summary : summaryWithout(summary, waysOf(omit, 'shipment'))
}

/** Whether an event tells of changes of which none is left beside what is left out. */
export function leavesNoChange(event: EventDraft, omit: LeftOut): boolean {
  const changes = shownChanges(event)
  if (changes === null || changes.length === 0) return false
  return changesWithout(changes, ownWays(omit, event.subject.resource)).length === 0
}

function ownWays(omit: LeftOut, resource: SubjectResource): Ways {
  return isRecordResource(resource) ? waysOf(omit, resource) : NOTHING
}

/** The rest of the ways below a name or an element. Elements have no lasting places: an index stands for any of them. */
function below(ways: Ways, token: string): Ways {
  const isElement = INDEX.test(token)
  const leads = (step: string | undefined): boolean =>
    step !== undefined && (step === ANY || step === token || (isElement && INDEX.test(step)))
  return ways.filter(([step]) => leads(step)).map((way) => way.slice(1))
}

function ofField(ways: Ways, name: string): Ways {
  return ways.filter(([step]) => step === ANY || step === name).map((way) => way.slice(1))
}

function isWhole(ways: Ways): boolean {
  return ways.some((way) => way.length === 0)
}

function recordWithout(record: JsonObject, ways: Ways): JsonObject {
  if (ways.length === 0) return record
  let isWithout = false
  const fields: [string, Json][] = []
  for (const [name, value] of Object.entries(record)) {
    const inner = ofField(ways, name)
    const left = isWhole(inner) ? undefined : valueWithout(value, inner)
    isWithout ||= left !== value
    if (left !== undefined) fields.push([name, left])
  }
  return isWithout ? Object.fromEntries(fields) : record
}

/** The very value where nothing of it is left out. */
function valueWithout(value: Json, ways: Ways): Json {
  if (ways.length === 0) return value
  if (isJsonObject(value)) return recordWithout(value, ways)
  if (!isJsonArray(value) || value.length === 0) return value
  const inner = below(ways, ANY)
  if (isWhole(inner)) return []
  const left = value.map((element) => valueWithout(element, inner))
  return left.some((element, place) => element !== value[place]) ? left : value
}

function changesWithout(changes: readonly Change[], ways: Ways): readonly Change[] {
  if (ways.length === 0) return changes
  return changes.flatMap((change) => changeWithout(change, ways) ?? [])
}

/** A change beside what is left out; null: nothing of it is left. */
function changeWithout(change: Change, ways: Ways): Change | null {
  const inner = follow(ways, change.path)
  if (isWhole(inner)) return null
  if (inner.length === 0) return change
  const [from, to] = [valueWithout(change.from, inner), valueWithout(change.to, inner)]
  if (from === change.from && to === change.to) return change
  return rawEqual(from, to) ? null : { ...change, from, to }
}

/** The ways below a pointer: one that is empty where the whole of it is left out. */
function follow(ways: Ways, pointer: string): Ways {
  let left = ways
  for (const token of parsePointer(pointer)) {
    if (isWhole(left)) return [[]]
    left = below(left, token)
  }
  return left
}

function summaryWithout(summary: ShipmentSummary, ways: Ways): ShipmentSummary {
  return ways.length === 0 ? summary : { ...summary, ...hiddenBy(ways) }
}

/** What is hidden of summaries, by the ways that a list was compiled to. */
const HIDDEN = new WeakMap<Ways, Partial<Record<string, null>>>()

function hiddenBy(ways: Ways): Partial<Record<string, null>> {
  const known = HIDDEN.get(ways)
  if (known !== undefined) return known
  const hidden = Object.entries(SUMMARY_FIELDS).filter(([, pointer]) => follow(ways, pointer).length > 0)
  const made = Object.fromEntries(hidden.map(([name]) => [name, null]))
  HIDDEN.set(ways, made)
  return made
}

function extrasWithout({ extras, subject, type }: ShipbellEvent, omit: LeftOut): JsonObject {
  const { resource } = subject
  if (!isRecordResource(resource)) return extras
  const told = Object.entries(extras).map(([name, value]): [string, Json] => {
    const shown = shownIn(type, name, extras)
    return [
      name,
      shown.reduce<Json>((left, each) => shownWithout(left, each, waysOf(omit, each.resource ?? resource)), value),
    ]
  })
  return Object.fromEntries(told)
}

function shownWithout(value: Json, { isPart, pointers }: ShownField, ways: Ways): Json {
  const inner = pointers.flatMap((pointer) => follow(ways, pointer))
  if (inner.length === 0) return value
  return isPart !== true || isWhole(inner) ? null : valueWithout(value, inner)
}
