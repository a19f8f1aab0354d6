import type { EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { newRecordState, type RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { trackingDate } from '../../src/model/shipment.ts'
import type { RecordWrite } from '../../src/store/ports/commit-port.ts'
import type { Commit, Content } from './commit-steps.ts'
import { sampleEvent, T } from './samples.ts'

const MINUTE_MS = 60_000

export interface Written {
  readonly write: RecordWrite
  readonly event: EventDraft | null
  readonly to: readonly string[]
}

interface Answer {
  readonly account: string
  readonly resource: RecordResource
  readonly now: number
  readonly isPage: boolean
}

/** What a commit writes of one record, as it is known, and the event of it. */
export function writtenBy(step: Commit['writes'][number], known: RecordState | undefined, answer: Answer): Written {
  const { account, now, resource } = answer
  const read = { sentAt: now - 100, answeredAt: now }
  const old = known ?? newRecordState({ resource, id: step.id }, { read, atBaseline: true })
  const seen = seenBy(step, old)
  const version = old.version + (step.rings === 'none' ? 0 : 1)
  const eventId = `evt_${account}_${resource}_${step.id}_${version}`
  const state: RecordState = {
    ...old,
    seen,
    reported: step.reports ? seen : old.reported,
    version,
    lastEventId: step.rings === 'none' ? old.lastEventId : eventId,
    // No page shows what is gone.
    removedAt: step.removed && !answer.isPage ? now : null,
    closedAt: step.phase === null ? null : now,
    nextEdgeAt: step.to.length > 1 ? now + MINUTE_MS : null,
    lastRead: read,
    memory: step.reports ? {} : { settling: { dueAt: now + MINUTE_MS, estimates: {} } },
  }
  const write: RecordWrite = {
    state,
    contentHash: step.read === 'hidden' ? null : `hash of ${JSON.stringify(seen)}`,
    before:
      step.expects === 'older'
        ? { version: 7, seen: null, reported: null, removedAt: null, memory: {} }
        : (known ?? null),
    ...(step.phase !== null && { phase: { phase: step.phase, until: now } }),
    ...(step.etag !== null && { etag: step.etag }),
    ...(step.read === 'none' && known !== undefined && { read: 'none' as const }),
  }
  return { write, to: step.to, event: step.rings === 'none' ? null : eventOf(step.rings, { account, now, old, state }) }
}

function seenBy({ content, id }: Commit['writes'][number], old: RecordState): JsonObject | null {
  if (content === 'same') return old.seen
  return content === 'nothing' ? null : recordOf(id, content)
}

function recordOf(id: string, { arrival, departure, name, status }: Content): JsonObject {
  const dates = { departure_date: dateOf(departure), arrival_date: dateOf(arrival) }
  return { platform_shipment_id: id, number: id, status, name, main_tracking_dates: dates, filling: 'x'.repeat(100) }
}

function dateOf(day: number | null): JsonObject | null {
  return day === null ? null : { date: `2026-12-0${day + 1}T00:00:00Z`, status: 'estimated' }
}

interface Change {
  readonly account: string
  readonly now: number
  readonly old: RecordState
  readonly state: RecordState
}

function eventOf(rings: 'created' | 'changed' | 'removed', { account, now, old, state }: Change): EventDraft {
  const { id, lastEventId, resource, seen: object, version } = state
  const subject = { resource, id, version, previousEventId: old.lastEventId }
  const event = { account, timestamp: now, subject, object, before: null, extras: {} }
  if (rings !== 'changed') return sampleEvent(lastEventId ?? '', { ...event, type: `shipment.${rings}` })
  const [from, to] = [old.seen, object].map((record) => trackingDate(record, 'arrival')?.raw ?? null)
  const first = { date: '2026-12-02T00:00:00Z', seen_at: new Date(T).toISOString() }
  const change = { milestone: 'arrival', from: from ?? null, to: to ?? null, first, revision: 2 }
  const changed = { ...event, before: old.reported, extras: { date_change: change } }
  return sampleEvent(lastEventId ?? '', { ...changed, type: 'shipment.eta_changed' })
}
