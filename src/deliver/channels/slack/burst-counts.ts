import type { ShipbellEvent } from '../../../model/event.ts'
import { field, textField } from '../../../model/json.ts'

const MOST_TYPES = 8

/** How many of each type, the most frequent first, and which way their dates went: `480 × shipment.eta_changed: 300 later, 180 earlier`. */
export function burstCounts(events: readonly ShipbellEvent[]): readonly string[] {
  const types = [...Map.groupBy(events, ({ type }) => type)].sort(([, a], [, b]) => b.length - a.length)
  const lines = types.slice(0, MOST_TYPES).map(([type, all]) => `${all.length} × ${type}${directionsOf(all)}`)
  const rest = types.slice(MOST_TYPES).reduce((sum, [, all]) => sum + all.length, 0)
  return rest === 0 ? lines : [...lines, `${rest} of ${types.length - MOST_TYPES} other types`]
}

function directionsOf(events: readonly ShipbellEvent[]): string {
  const counted = ['later', 'earlier'].map((direction) => ({
    direction,
    count: events.filter((event) => directionOf(event) === direction).length,
  }))
  const parts = counted.filter(({ count }) => count > 0).map(({ direction, count }) => `${count} ${direction}`)
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function directionOf({ extras }: ShipbellEvent): string | null {
  return textField(field(extras, 'date_change'), 'direction')
}
