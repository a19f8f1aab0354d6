import type { ShipbellEvent } from '../../model/event.ts'
import { parseInstant } from '../../model/instant.ts'
import { field, type Json } from '../../model/json.ts'
import type { Severity } from '../../model/severity.ts'
import { ownerKey, ownerOf, ownersAmong } from './event-owner.ts'
import { netChanges } from './net-changes.ts'
import type { NetChange, NetEntry, Several } from './net-entry.ts'

/** Where a tone stands among lines: what needs somebody first, then what was reached, then the rest. */
const WEIGHT: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, good: 2, neutral: 3 }

/**
 * The net effect of events that go together, `events` of any accounts and records, oldest first: one entry for each shipment
 * with all that belongs to it, one for each record that belongs to none. In an entry each date and status is told once, from
 * the value before the first event to the last; what returned is no change, what later events say is over is left out, what
 * only echoes another change is folded into it. The heaviest entry comes first; among equals the one that moved a date farthest.
 * `entry.changes` is empty where everything returned.
 */
export function netEntries<E extends ShipbellEvent>(events: readonly E[]): readonly NetEntry<E>[] {
  const owners = ownersAmong(events.filter(({ cause }) => cause !== 'test'))
  const groups = Map.groupBy(events, (event) => (event.cause === 'test' ? testKey(event) : owners(event)))
  return [...groups]
    .flatMap(([key, [first, ...rest]]) => (first === undefined ? [] : [entryOf(key, [first, ...rest])]))
    .toSorted(byWeight)
}

/** A test is an entry of its own: it must not be taken for news of a shipment. */
function testKey({ id }: ShipbellEvent): string {
  return `test:${id}`
}

function entryOf<E extends ShipbellEvent>(key: string, events: Several<E>): NetEntry<E> {
  const bySubject = Map.groupBy(events, ({ subject: { resource, id } }) => JSON.stringify([resource, id]))
  const all = [...bySubject.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : netChanges([first, ...rest]),
  )
  const changes = withoutEchoes(all).toSorted(
    (a, b) =>
      WEIGHT[a.tone] - WEIGHT[b.tone] ||
      movedBy(b) - movedBy(a) ||
      events.indexOf(a.events[0]) - events.indexOf(b.events[0]),
  )
  const owner = ownerOf(events.find((event) => ownerKey(event) === key) ?? events[0])
  return { ...owner, name: nameOf(events, owner.id), tone: changes[0]?.tone ?? 'neutral', changes, events }
}

/** The newest name of the shipment; null where it has none, or its id for a name. */
function nameOf(events: Several, id: string): string | null {
  const name = events.findLast(({ shipment }) => shipment?.id === id && (shipment.name ?? '').trim() !== '')
  return name?.shipment?.name === id ? null : (name?.shipment?.name?.trim() ?? null)
}

/**
 * Orders repeat the status of their shipment: it is told of the shipment, else of the first of them. The date of an order of which
 * something graver is told is that of its shipment, where that is told, too.
 */
function withoutEchoes<E extends ShipbellEvent>(changes: readonly NetChange<E>[]): readonly NetChange<E>[] {
  const first = changes.find(isStatus) ?? changes.find(isEcho)
  return changes.filter((change) => (!isEcho(change) || change === first) && !isEchoedDate(change, changes))
}

function isEchoedDate({ event }: NetChange, changes: readonly NetChange[]): boolean {
  if (event.type !== ORDER_MOVED) return false
  const date = dateTo(event.extras)
  return (
    changes.some(({ event: other }) => other.subject.id === event.subject.id && ORDER_TOLD.has(other.type)) &&
    changes.some(({ event: { extras } }) => date !== null && dateTo(field(extras, 'date_change')) === date)
  )
}

const ORDER_MOVED = 'purchase_order.eta_changed'
const ORDER_TOLD: ReadonlySet<string> = new Set([
  'purchase_order.delivery_at_risk',
  'purchase_order.delivery_back_on_track',
  'purchase_order.delivered',
])

/** The instant that a change of a date leads to; null: none. */
function dateTo(change: Json | undefined): number | null {
  return parseInstant(field(field(change, 'to'), 'date'))
}

function isEcho({ event }: NetChange): boolean {
  return event.type === 'purchase_order.shipment_status_changed'
}

function isStatus({ event }: NetChange): boolean {
  return event.type === 'shipment.status_changed'
}

/** How far the date of a change went, either way; 0: none did. */
function movedBy({ minutes }: Pick<NetChange, 'minutes'>): number {
  return Math.abs(minutes ?? 0)
}

/** The order of weight: what needs somebody first, then what moved farthest. */
export function byWeight(a: NetEntry, b: NetEntry): number {
  return WEIGHT[a.tone] - WEIGHT[b.tone] || farthest(b) - farthest(a)
}

function farthest({ changes }: NetEntry): number {
  return Math.max(0, ...changes.map(movedBy))
}
