import { formatInstant } from '../../model/instant.ts'
import { textField } from '../../model/json.ts'
import type { CalendarMemory } from '../../model/record-state.ts'
import { trackingDate } from '../../model/shipment.ts'
import { dayOf, daysBetween, isAfterDay, isCalendarDate } from '../../model/zoned-day.ts'
import type { CalendarRules, Turn } from './calendar-rules.ts'

/**
 * The delivery estimate crosses the desired date, and back, until delivery is actual; days are the account's. Where one of
 * the two dates is missing, nothing is crossed and what was known stands. An estimate that waits has not crossed anything.
 */
export function crossDesiredDate(turn: Turn): ReturnType<CalendarRules['cross']> {
  const memory: CalendarMemory = turn.memory.calendar ?? { skipped: [] }
  const { timeZone } = turn.calendar
  const days = daysOf(turn)
  if (days === null) return { memory, findings: [] }
  const atRisk = isAfterDay(days.delivery, days.desired, timeZone)
  if (atRisk === (memory.atRisk === true)) return { memory, findings: [] }
  const type = atRisk ? 'shipment.delivery_at_risk' : 'shipment.delivery_back_on_track'
  const extras = { slack_days: daysBetween(dayOf(days.delivery, timeZone), days.desired), at: formatInstant(turn.at) }
  const finding = { type, about: { kind: 'rule', edge: [type] }, cause: 'calendar', extras } as const
  return { memory: { ...memory, atRisk }, findings: [finding] }
}

/** The instant of the estimate, and the desired date; null where one is missing or delivery is actual. */
function daysOf({ reported }: Turn): { readonly delivery: number; readonly desired: string } | null {
  const desired = textField(reported, 'desired_delivery_date')
  const delivery = trackingDate(reported, 'delivery')
  if (desired === null || !isCalendarDate(desired)) return null
  if (delivery?.instant == null || delivery.status === 'actual') return null
  return { delivery: delivery.instant, desired }
}
