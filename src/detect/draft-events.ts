import { arrivalOf, type RecordMemory } from '../model/record-state.ts'
import type { EventDraft, Observed } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import { orderStatus } from '../model/order-fate.ts'
import { summariseShipment, type ShipmentSummary } from '../model/shipment.ts'
import { canonicalChange, toChange, type LeafChange } from './compare/leaf-change.ts'
import type { DetectInput } from './detect-input.ts'
import { eventId } from '../model/event-id.ts'
import type { About, Finding } from './claims.ts'
import { contentLink } from './content-link.ts'

/** The end of a subject's chain of events, and what the record remembers by then. */
export interface Chain {
  readonly version: number
  readonly lastEventId: string | null
  readonly memory: RecordMemory
}

export interface Drafted {
  readonly events: readonly EventDraft[]
  readonly chain: Chain
}

interface Drafting extends DetectInput {
  readonly after: JsonObject
  /** When events fire that no read shows by itself; left out: when the answer arrived. */
  readonly firedAt?: number
  /** When a leaf changed, where that was not between the last read and this one (null: it was). */
  readonly observed?: (leaf: LeafChange) => Observed | null
}

/** Gives each finding its version, its id and its predecessor, in order. */
export function draftEvents(input: Drafting, findings: readonly Finding[], start: Chain): Drafted {
  const events: EventDraft[] = []
  let chain = start
  const shipment = findings.length > 0 ? summaryOf(input) : null
  const own = findings.length > 0 ? ownExtras(input) : null
  for (const finding of findings) {
    const told = own === null ? finding : { ...finding, extras: { ...own, ...finding.extras } }
    const event = draft(input, told, { ...chain, shipment })
    const memory = finding.remember?.(chain.memory, event.id) ?? chain.memory
    chain = { version: event.subject.version, lastEventId: event.id, memory }
    events.push(event)
  }
  return { events, chain }
}

function summaryOf({ resource, id, after, shipment }: Drafting): ShipmentSummary | null {
  return resource === 'shipment' ? summariseShipment(id, after) : shipment
}

function draft(
  input: Drafting,
  finding: Finding,
  { lastEventId, shipment, version: before }: Chain & Pick<EventDraft, 'shipment'>,
): EventDraft {
  const { account, resource, id, read } = input
  const { about, type } = finding
  const version = before + 1
  const observed = about.kind === 'rule' ? null : observedOf(input, about)
  return {
    id: eventId({ account, resource, id, version, type, parts: partsOf(about) }),
    type,
    account,
    subject: { resource, id, version, previousEventId: lastEventId },
    timestamp: observed?.notAfter ?? input.firedAt ?? arrivalOf(read),
    observed,
    cause: finding.cause ?? 'change',
    object: input.after,
    before: about.kind === 'leaves' ? (input.before?.reported ?? null) : null,
    changes: about.kind === 'leaves' ? about.leaves.map(toChange) : null,
    shipment,
    extras: finding.extras,
  }
}

/** What all events of a resource say beside what their types add: once for all, because an order may ring thousands. Most say nothing. */
function ownExtras(input: Drafting): JsonObject | null {
  if (input.resource === 'purchase_order') return statusOf(input)
  return input.resource === 'document' ? contentLink(input) : null
}

/** What the events of an order say of it: by the shipments that were looked at last. */
function statusOf({ after, before, calendar }: Drafting): JsonObject {
  return { order_status: orderStatus(after, before?.memory.fate, calendar?.timeZone ?? 'UTC') }
}

/** An estimate that waited may have changed in reads before this one. */
function observedOf(input: Drafting, about: About): Observed {
  const { observed, read } = input
  const now = { notBefore: lastSentWithout(input), notAfter: arrivalOf(read) }
  if (about.kind !== 'leaves' || observed === undefined) return now
  const waited = about.leaves.map(observed)
  if (waited.every((each) => each === null)) return now
  const changes = waited.map((each) => each ?? now)
  const sent = changes.flatMap(({ notBefore }) => notBefore ?? [])
  return {
    notBefore: sent.length === 0 ? null : Math.min(...sent),
    notAfter: Math.max(...changes.map(({ notAfter }) => notAfter)),
  }
}

/** When the last read that did not show this yet was sent; passes go on missing a record that is removed. */
function lastSentWithout({ before, absentAt }: Drafting): number | null {
  if (before === null) return absentAt
  const { sentAt } = before.memory.lastShown ?? before.lastRead
  return before.removedAt === null ? sentAt : Math.max(sentAt, absentAt ?? sentAt)
}

function partsOf(about: About): readonly string[] {
  switch (about.kind) {
    case 'leaves':
      return about.leaves.map(canonicalChange)
    case 'record':
      return []
    case 'rule':
      return about.edge
    default:
      return about satisfies never
  }
}
