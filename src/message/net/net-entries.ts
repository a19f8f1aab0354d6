import type { ShipbellEvent } from '../../model/event.ts'
import type { Severity } from '../../model/severity.ts'
import { ownerKey, ownerOf } from './event-owner.ts'
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
  return [...Map.groupBy(events, entryKey).values()]
    .flatMap(([first, ...rest]) => (first === undefined ? [] : [entryOf([first, ...rest])]))
    .toSorted(byWeight)
}

/** A test is an entry of its own: it must not be taken for news of a shipment. */
function entryKey(event: ShipbellEvent): string {
  return event.cause === 'test' ? `test:${event.id}` : ownerKey(event)
}

function entryOf<E extends ShipbellEvent>(events: Several<E>): NetEntry<E> {
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
  const owner = ownerOf(events[0])
  return { ...owner, name: nameOf(events, owner.id), tone: changes[0]?.tone ?? 'neutral', changes, events }
}

/** The newest name of the shipment; null where it has none, or its id for a name. */
function nameOf(events: Several, id: string): string | null {
  const name = events.findLast(({ shipment }) => shipment?.id === id && (shipment.name ?? '').trim() !== '')
  return name?.shipment?.name === id ? null : (name?.shipment?.name?.trim() ?? null)
}

/** Orders repeat the status of their shipment: it is told of the shipment, else of the first of them. */
function withoutEchoes<E extends ShipbellEvent>(changes: readonly NetChange<E>[]): readonly NetChange<E>[] {
  const first = changes.find(isStatus) ?? changes.find(isEcho)
  return changes.filter((change) => !isEcho(change) || change === first)
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

function byWeight(a: NetEntry, b: NetEntry): number {
  return WEIGHT[a.tone] - WEIGHT[b.tone] || farthest(b) - farthest(a)
}

function farthest({ changes }: NetEntry): number {
  return Math.max(0, ...changes.map(movedBy))
}
