import { dataBesidesObject, shownRecord } from '../../model/event-data.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { textsOf } from '../../model/event-texts.ts'
import { rawEqual } from '../../model/json.ts'
import { ANY, splitOmitted, withoutOmitted, type LeftOut } from '../../model/omit.ts'
import { firstToken } from '../../model/pointer.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'
import { MESSAGE_FIELDS } from '../../message/message-fields.ts'
import { LARGEST_PAYLOAD_BYTES } from '../../model/payload.ts'
import { RecordFields, withoutRecords } from './lean-event.ts'
import type { Verdict } from './verdicts.ts'

/** What each of two configurations leaves out; undefined: nothing. */
export interface LeftOutTwice {
  readonly old: LeftOut | undefined
  readonly new: LeftOut | undefined
}

/**
 * Whether a full payload shows the same whichever of two lists is left out of its event. Neither text is made for that, and of the records no
 * other fields are read than those of which the lists leave out different parts: of all others they leave the same. null: only what the record was
 * tells, which the event does not show.
 */
export function isLeftAlike(event: LoggedEvent, leftOut: LeftOutTwice, hasBefore = true): Verdict {
  const bare = withoutRecords(event)
  const { resource } = event.subject
  if (!isRecordResource(resource)) return isRestAlike(bare, leftOut)
  const { fields, names } = differenceOf(leftOut, resource)
  const isWhole = names.includes(ANY)
  // The record itself tells most events apart, so it is asked first, and what it was before last.
  const object = isWhole ? event.object : names.length === 0 ? null : fields.of(event)
  if (object !== null && !isObjectAlike({ ...withoutData(bare), object }, leftOut)) return false
  if (!isRestAlike(bare, leftOut)) return false
  const differsBefore = bare.changes?.some(({ path }) => isWhole || names.includes(firstToken(path) ?? ANY)) === true
  if (!differsBefore) return true
  return hasBefore ? isRestAlike({ ...bare, before: event.before }, leftOut) : null
}

/** Whether built-in messages are shown the same whichever of two lists is left out of their event, whatever its records hold. */
export function isToldAlike(event: LoggedEvent, leftOut: LeftOutTwice): boolean {
  const { resource } = event.subject
  if (!isRecordResource(resource)) return false
  return !differenceOf(leftOut, resource).names.some(isTold(resource)) && isRestAlike(withoutRecords(event), leftOut)
}

interface LeftOutDifference {
  readonly names: readonly string[]
  readonly fields: RecordFields
}

const DIFFERENCES = new WeakMap<LeftOutTwice, Map<RecordResource, LeftOutDifference>>()

/** The fields of a record that one of two lists leaves out, or a part of them, and the other does not. */
function differenceOf(leftOut: LeftOutTwice, of: RecordResource): LeftOutDifference {
  const known = DIFFERENCES.get(leftOut) ?? new Map<RecordResource, LeftOutDifference>()
  DIFFERENCES.set(leftOut, known)
  const kept = known.get(of)
  if (kept !== undefined) return kept
  const names = differingFields(leftOut, of)
  const made = { names, fields: new RecordFields(names) }
  known.set(of, made)
  return made
}

function differingFields({ old = [], new: other = [] }: LeftOutTwice, of: RecordResource): readonly string[] {
  const pointers = [...old.filter((each) => !other.includes(each)), ...other.filter((each) => !old.includes(each))]
  return pointers.flatMap((text) => {
    const { pointer, resource } = splitOmitted(text)
    return resource === null || resource === of ? [firstToken(pointer) ?? ANY] : []
  })
}

function isTold(resource: RecordResource): (name: string) => boolean {
  return (name) => name === ANY || MESSAGE_FIELDS[resource].includes(name)
}

/** Whether a full payload is certainly short enough to be sent whole. What a record was before is what it is, with its changes undone. */
export function isSentWhole(event: LoggedEvent, limitBytes = LARGEST_PAYLOAD_BYTES): boolean {
  const { changes, extras, shipment } = event
  const record = textsOf(event).objectJson?.length
  if (record === undefined) return false
  const changed = jsonBytes(changes)
  return 2 * record + 3 * changed + jsonBytes([extras, shipment]) + ENVELOPE_BYTES <= limitBytes
}

/** An envelope takes a third of it. */
const ENVELOPE_BYTES = 4_096

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function isRestAlike(event: ShipbellEvent, { old, new: other }: LeftOutTwice): boolean {
  const [before, after] = [withoutOmitted(event, old), withoutOmitted(event, other)]
  return rawEqual(dataBesidesObject(before), dataBesidesObject(after))
}

function isObjectAlike(event: ShipbellEvent, { old, new: other }: LeftOutTwice): boolean {
  const { object: before } = withoutOmitted(event, old)
  const { object: after } = withoutOmitted(event, other)
  if (before === after || before === null || after === null) return before === after
  return rawEqual(shownRecord(event, before), shownRecord(event, after))
}

function withoutData(event: ShipbellEvent): ShipbellEvent {
  return { ...event, changes: null, shipment: null, extras: {} }
}
