import { alteredEvent, type ShipbellEvent } from '../model/event.ts'
import { formatInstant, parseInstant } from '../model/instant.ts'
import { field, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import type { ClaimedDelivery } from '../store/ports/delivery-port.ts'

/**
 * A date change as its reader sees it: with `min_shift` he was not told of each step, so it moved from what he was told last.
 * For people alone; the payload of an event is the same for everybody.
 */
export function sinceTold(delivery: ClaimedDelivery): ClaimedDelivery {
  const { event, lastTold = null } = delivery
  if (lastTold === null) return delivery
  return { ...delivery, event: alteredEvent(event, { extras: extrasSince(lastTold, event) }) }
}

function extrasSince(lastTold: number, { extras, subject }: ShipbellEvent): JsonObject {
  const change = field(extras, 'date_change')
  if (isJsonObject(change)) return { ...extras, date_change: { ...change, ...moveFrom(lastTold, change) } }
  // The expected delivery of an order is no field of it, so its event says itself how far it moved.
  if (subject.resource === 'purchase_order') {
    const { from, shift_minutes } = moveFrom(lastTold, extras)
    return { ...extras, from: from ?? null, ...(shift_minutes !== undefined && { shift_minutes }) }
  }
  return { ...extras, from: formatInstant(lastTold).slice(0, 10) }
}

function moveFrom(lastTold: number, change: JsonObject): JsonObject {
  const [from, to] = [change['from'], change['to']]
  const told: Json = { ...(isJsonObject(from) ? from : {}), date: formatInstant(lastTold) }
  const instant = parseInstant(field(to, 'date'))
  if (instant === null) return { from: told }
  const minutes = Math.round((instant - lastTold) / 60_000)
  return { from: told, shift_minutes: minutes, direction: minutes > 0 ? 'later' : minutes < 0 ? 'earlier' : 'none' }
}
