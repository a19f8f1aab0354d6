import { MESSAGE_FIELDS } from '../../message/message-fields.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { textsOf } from '../../model/event-texts.ts'
import type { JsonObject } from '../../model/json.ts'
import { membersOf, writtenNames, type WrittenNames } from '../../model/json-members.ts'
import { isRecordResource, type RecordResource } from '../../model/resource.ts'

/** Some fields of records, which are read without the rest of a record. */
export class RecordFields {
  readonly #names: readonly string[]
  readonly #written: WrittenNames

  constructor(names: readonly string[]) {
    this.#names = [...new Set(names)]
    this.#written = writtenNames(this.#names)
  }

  get isEmpty(): boolean {
    return this.#names.length === 0
  }

  with(names: readonly string[]): RecordFields {
    return names.every((name) => this.#names.includes(name)) ? this : new RecordFields([...this.#names, ...names])
  }

  /** The record of an event as far as these fields; null: it shows none. */
  of(event: LoggedEvent): JsonObject | null {
    const { objectJson } = textsOf(event)
    const members = objectJson === undefined ? null : membersOf(objectJson, this.#written)
    return members ?? this.#within(event.object)
  }

  #within(record: JsonObject | null): JsonObject | null {
    if (record === null) return null
    return Object.fromEntries(Object.entries(record).filter(([name]) => this.#names.includes(name)))
  }
}

const TOLD = new Map<RecordResource, RecordFields>()

/** The fields of a record that built-in messages may tell of. */
function toldFields(of: RecordResource): RecordFields {
  const fields = TOLD.get(of) ?? new RecordFields(MESSAGE_FIELDS[of])
  TOLD.set(of, fields)
  return fields
}

/** The event without its records, which are not even read from a logged one. */
export function withoutRecords({
  account,
  cause,
  changes,
  extras,
  id,
  observed,
  sequence,
  shipment,
  subject,
  timestamp,
  type,
}: ShipbellEvent): ShipbellEvent {
  const envelope = { id, type, account, sequence, subject, timestamp, observed, cause }
  return { ...envelope, object: null, before: null, changes, shipment, extras }
}

/** The event with some fields of its record, and without what that was before. */
export function leanEvent(event: LoggedEvent, fields: RecordFields): LoggedEvent {
  return { ...withoutRecords(event), object: fields.of(event), expiredAt: event.expiredAt }
}

const OF_RECORD: ReadonlySet<string> = new Set(['object', 'previous'])
const OF_CHANGE: ReadonlySet<string> = new Set(['changes', 'previous'])

/** The event with some members of its `data` and some fields of its record. What is not asked for is not even read from the log. */
export function partOfEvent(event: LoggedEvent, names: ReadonlySet<string>, fields: RecordFields): LoggedEvent {
  const { account, cause, expiredAt, id, observed, sequence, subject, timestamp, type } = event
  const envelope = { id, type, account, sequence, subject, timestamp, observed, cause, expiredAt }
  const showsExtras = [...names].some((name) => !OF_RECORD.has(name) && !OF_CHANGE.has(name) && name !== 'shipment')
  return {
    ...envelope,
    object: names.has('object') ? fields.of(event) : null,
    before: null,
    changes: names.has('changes') ? event.changes : null,
    shipment: names.has('shipment') ? event.shipment : null,
    extras: showsExtras ? event.extras : {},
  }
}

/** The event as built-in messages are shown it. */
export function toldEvent(event: LoggedEvent): LoggedEvent {
  const { resource } = event.subject
  return isRecordResource(resource) ? leanEvent(event, toldFields(resource)) : event
}
