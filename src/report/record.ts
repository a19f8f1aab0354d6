import { shownRecord } from '../model/event-data.ts'
import { formatInstant, formatInstantOrNull } from '../model/instant.ts'
import { type JsonObject, wholeCharacters } from '../model/json.ts'
import { MILESTONES } from '../model/shipment.ts'
import type { DateValue, RecordDetail, RecordSummary, Slip } from '../store/ports/record-query-port.ts'

/** A record as commands and the API give it. */
export function recordJson(record: RecordSummary): JsonObject {
  return {
    account: record.account,
    resource: record.resource,
    id: record.id,
    name: record.name,
    status: record.status,
    removed: formatInstantOrNull(record.removedAt),
    version: record.version,
    last_read_at: formatInstant(record.lastReadAt),
    last_event_at: formatInstantOrNull(record.lastEventAt),
  }
}

export function recordDetailJson(record: RecordDetail): JsonObject {
  const { object, resource } = record
  return {
    ...recordJson(record),
    object: object && wholeCharacters(shownRecord({ subject: { resource } }, object)),
    dates: resource === 'shipment' ? datesJson(record.dates) : {},
  }
}

function datesJson(dates: RecordDetail['dates']): JsonObject {
  return Object.fromEntries(MILESTONES.map((milestone) => [milestone, (dates[milestone] ?? []).map(valueJson)]))
}

function valueJson({ date, status, seenAt, toldAt, eventId }: DateValue): JsonObject {
  return {
    date,
    status,
    seen_at: formatInstantOrNull(seenAt),
    told_at: formatInstantOrNull(toldAt),
    event_id: eventId,
  }
}

export function slipJson(slip: Slip): JsonObject {
  return {
    account: slip.account,
    shipment: slip.shipment,
    name: slip.name,
    milestone: slip.milestone,
    first: formatInstant(slip.first),
    now: formatInstant(slip.now),
    drift_minutes: slip.driftMinutes,
    revisions: slip.revisions,
  }
}
