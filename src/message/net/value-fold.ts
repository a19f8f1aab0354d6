import { alteredEvent, type Change, type ShipbellEvent } from '../../model/event.ts'
import { asText, field, isJsonArray, rawEqual, textField, type Json, type JsonObject } from '../../model/json.ts'
import { SHIPMENT_STATUSES } from '../../model/shipment.ts'
import { daysBetween, isCalendarDate } from '../../model/zoned-day.ts'
import { withExtras } from './date-fold.ts'
import type { Several } from './net-entry.ts'

/** Several changes of one value (`data.from`, `data.to`) as one; null where it is back. */
export function foldValue(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const [from, to] = [events[0].extras['from'] ?? null, last.extras['to'] ?? null]
  if (rawEqual(from, to)) return null
  const more: JsonObject = {
    from,
    to,
    ...(Object.hasOwn(last.extras, 'regression') && { regression: isStepBack(from, to) }),
    ...(Object.hasOwn(last.extras, 'shift_days') && { shift_days: daysApart(from, to) }),
  }
  return alteredEvent(withExtras(last, more), { changes: netLeaves(events) })
}

/** Whether a status goes backwards, or out of `cancelled`; one that this version does not know goes nowhere. */
function isStepBack(from: Json, to: Json): boolean {
  const [was, is] = [from, to].map((status) => SHIPMENT_STATUSES.findIndex((each) => each === status))
  if (was === undefined || is === undefined || is === -1) return false
  return from === 'cancelled' || is < was
}

function daysApart(from: Json, to: Json): number | null {
  const [before, after] = [from, to].map((side) => (typeof side === 'string' ? side.slice(0, 10) : ''))
  if (before === undefined || after === undefined || !isCalendarDate(before) || !isCalendarDate(after)) return null
  return daysBetween(before, after)
}

/** Several changes of the same part of a record as one, leaf by leaf; null where every leaf is back. */
export function foldLeaves(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const changes = netLeaves(events)
  return changes?.length === 0 ? null : alteredEvent(last, { changes })
}

/** Each changed leaf from its first value to its last; null where the events have no leaves. */
function netLeaves(events: Several): readonly Change[] | null {
  const net = new Map<string, Change>()
  for (const { changes } of events) {
    if (changes === null) return null
    for (const change of changes) net.set(change.path, { ...change, from: (net.get(change.path) ?? change).from })
  }
  return [...net.values()].filter(({ from, to }) => !rawEqual(from, to))
}

/** What joined and left in several steps as one; null where all that joined left again, and the other way round. */
export function foldReferences(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const [orders, invoices] = (['orders', 'invoices'] as const).map((kind) => turnOf(events, kind))
  const sizes = [orders, invoices].map((turn) => (turn?.added.length ?? 0) + (turn?.removed.length ?? 0))
  if (sizes.every((size) => size === 0)) return null
  return alteredEvent(withExtras(last, { orders: { ...orders }, invoices: { ...invoices } }), {
    changes: netLeaves(events),
  })
}

function turnOf(
  events: Several,
  kind: 'orders' | 'invoices',
): { readonly added: string[]; readonly removed: string[] } {
  const turns = new Map<string, number>()
  const count = (names: Json | undefined, by: number): void => {
    for (const name of names !== undefined && isJsonArray(names) ? names : [])
      turns.set(asText(name) ?? '', (turns.get(asText(name) ?? '') ?? 0) + by)
  }
  for (const { extras } of events) {
    count(field(field(extras, kind), 'added'), 1)
    count(field(field(extras, kind), 'removed'), -1)
  }
  const names = [...turns]
  return {
    added: names.flatMap(([name, turn]) => (turn > 0 ? [name] : [])),
    removed: names.flatMap(([name, turn]) => (turn < 0 ? [name] : [])),
  }
}

/** What joined and what left as one: nothing where both happened, in whichever order. */
export function foldPair(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  return events[0].type === last.type ? last : null
}

/** Several events about one container: it came, changed or went. */
export function foldContainer(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const [came, is] = [events[0].type === 'shipment.container_added', last.type !== 'shipment.container_removed']
  if (!is) return came ? null : last
  if (came) return alteredEvent(events[0], { extras: last.extras, object: last.object, shipment: last.shipment })
  const [first, ...more] = events.filter(({ type }) => type === 'shipment.container_updated')
  if (first !== undefined && more.length === events.length - 1) return foldLeaves([first, ...more])
  return alteredEvent(last, { type: 'shipment.container_updated', changes: [] })
}

/** Several events about one event of tracking: it came, changed, happened or was taken back. */
export function foldTracked(events: Several): ShipbellEvent | null {
  const last = events.at(-1) ?? events[0]
  const [was, is] = [events[0].extras['previous_event'] ?? null, last.extras['event'] ?? null]
  if (rawEqual(was, is)) return null
  const happens = textField(is, 'status') === 'actual' && textField(was, 'status') !== 'actual'
  const type =
    is === null
      ? 'tracking.event_retracted'
      : was === null
        ? 'tracking.event_added'
        : happens
          ? 'tracking.event_actualised'
          : 'tracking.event_updated'
  return alteredEvent(withExtras(last, { previous_event: was, event: is }), { type, changes: netLeaves(events) })
}
