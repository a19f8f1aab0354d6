import type { LogQueryStore } from '../store/ports/log-query-port.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import { calendarEdge, ruleOf, type EventStory } from '../model/event-rule.ts'
import { shownRecord } from '../model/event-data.ts'
import type { ShipbellEvent } from '../model/event.ts'
import type { Exchange } from '../model/exchange.ts'
import { formatInstant } from '../model/instant.ts'
import { type JsonObject, wholeCharacters } from '../model/json.ts'
import { collectItems } from '../model/page.ts'
import { loggedPayload } from '../model/payload.ts'
import type { ReadReason, Provenance } from '../model/provenance.ts'
import { tracedDeliveryJson, type TracedDelivery } from './delivery.ts'
import { watchedAs } from '../model/resource.ts'

/** What explains an event, and who got it. */
export interface EventTrace {
  readonly story: EventStory
  readonly deliveries: readonly TracedDelivery[]
}

/** The trace of an event; null where there is none of this id. */
export async function eventTrace(store: QueryStore & LogQueryStore, id: string): Promise<EventTrace | null> {
  const story = await store.story(id)
  if (story === null) return null
  const rows = await collectItems(async (page) => await store.deliveryPage({ eventId: id, ...page }))
  const deliveries = rows.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) }))
  return { story, deliveries: await Promise.all(deliveries) }
}

/** What `events show --json` prints; docs/reference/json-output.md lists the names. */
export function eventStoryJson({ story, deliveries }: EventTrace): JsonObject {
  const { event, provenance, previous, next, corrects, correctedBy } = story
  return wholeCharacters({
    payload: loggedPayload(event),
    rule: ruleOf(event, provenance),
    edge: calendarEdge(event, provenance),
    seen: provenance && provenanceJson(provenance),
    changes: event.changes && event.changes.map((change) => ({ ...change })),
    before: event.before && shownRecord(event, event.before),
    after: event.object && shownRecord(event, event.object),
    corrects: corrects && referenceJson(corrects),
    corrected_by: correctedBy.map(referenceJson),
    previous: previous && referenceJson(previous),
    next: next && referenceJson(next),
    deliveries: deliveries.map(tracedDeliveryJson),
  })
}

function provenanceJson(provenance: Provenance): JsonObject {
  const { by, resource, pass, exchanges, timeZone, lastRead, missed, overruled, why } = provenance
  return {
    by,
    resource: resource && watchedAs(resource),
    pass:
      pass === undefined
        ? null
        : { number: pass.number, started_at: pass.startedAt === null ? null : formatInstant(pass.startedAt) },
    requests: exchanges.map(exchangeJson),
    why: why === undefined ? null : reasonJson(why),
    missed:
      missed === undefined ? null : { passes: missed.passes, last_met_by: missed.lastMetBy, accepted: missed.accepted },
    last_read:
      lastRead === undefined
        ? null
        : { sent_at: formatInstant(lastRead.sentAt), answered_at: formatInstant(lastRead.answeredAt) },
    time_zone: timeZone ?? null,
    ...(overruled === undefined ? {} : { overruled }),
  }
}

function reasonJson(why: ReadReason): JsonObject {
  switch (why.kind) {
    case 'promise':
      return { kind: why.kind, every_seconds: why.everyMs / 1_000 }
    case 'likely':
      return { kind: why.kind, expected: why.expected, waited_seconds: why.waitedMs / 1_000 }
    case 'first':
    case 'announced':
    case 'once':
      return { kind: why.kind }
    default:
      return why satisfies never
  }
}

function exchangeJson({ method, path, sentAt, answeredAt, status, bytes }: Exchange): JsonObject {
  return {
    method,
    path,
    sent_at: formatInstant(sentAt),
    answered_at: formatInstant(answeredAt),
    duration_ms: answeredAt - sentAt,
    status,
    bytes,
  }
}

function referenceJson({ id, type, timestamp, sequence }: ShipbellEvent): JsonObject {
  return { id, type, timestamp: formatInstant(timestamp), sequence }
}
