import type { JsonObject } from '../model/json.ts'
import { textField } from '../model/json.ts'
import type { Phase, PhaseSpan } from '../model/phase.ts'
import { trackingInstant, trackingStatus, type Milestone } from '../model/shipment.ts'

/** What time alone brings about. */
const NEXT: Readonly<Partial<Record<Phase, Phase>>> = { booked: 'near_departure', at_sea: 'near_arrival' }

const NEAR_MS = 3 * 86_400_000

/** By status and main tracking dates; an unknown status counts as one that is under way. */
export function phaseOf(shipment: JsonObject): PhaseSpan {
  switch (textField(shipment, 'status') ?? '') {
    case 'finished':
    case 'cancelled':
      return { phase: 'finished', until: null }
    case 'draft':
    case 'booking_request':
    case 'awaiting_booking':
      return { phase: 'draft', until: null }
    case 'booked':
      return isActual(shipment, 'departure') ? afterDeparture(shipment) : beforeDeparture(shipment)
    default:
      return afterDeparture(shipment)
  }
}

/** The phase at `now`, and no earlier than the one that was seen. */
export function phaseAt({ phase, until }: PhaseSpan, now: number): Phase {
  return until !== null && now >= until ? (NEXT[phase] ?? phase) : phase
}

function beforeDeparture(shipment: JsonObject): PhaseSpan {
  if (isActual(shipment, 'pickup')) return { phase: 'near_departure', until: null }
  const dates = [trackingInstant(shipment, 'pickup'), trackingInstant(shipment, 'departure')]
  const first = Math.min(...dates.map((instant) => instant ?? Number.POSITIVE_INFINITY))
  return { phase: 'booked', until: Number.isFinite(first) ? first - NEAR_MS : null }
}

function afterDeparture(shipment: JsonObject): PhaseSpan {
  if (isActual(shipment, 'delivery')) return { phase: 'finished', until: null }
  if (isActual(shipment, 'arrival')) return { phase: 'inland', until: null }
  const arrival = trackingInstant(shipment, 'arrival') ?? trackingInstant(shipment, 'delivery')
  return { phase: 'at_sea', until: arrival === null ? null : arrival - NEAR_MS }
}

function isActual(shipment: JsonObject, milestone: Milestone): boolean {
  return trackingStatus(shipment, milestone) === 'actual'
}
