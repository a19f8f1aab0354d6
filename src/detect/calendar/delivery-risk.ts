import { formatInstant } from '../../model/instant.ts'
import { textField } from '../../model/json.ts'
import type { CalendarMemory } from '../../model/record-state.ts'
import { trackingDate } from '../../model/shipment.ts'
import { dayOf, daysBetween, isCalendarDate } from '../../model/zoned-day.ts'
import type { CalendarRules, Turn } from './calendar-rules.ts'

/**
 * The delivery estimate crosses the desired date, and back, until delivery is actual; days are the account's. Where one of
 * the two dates is missing, nothing is crossed and what was known stands. An estimate that waits has not crossed anything.
 */
export function crossDesiredDate(turn: Turn): ReturnType<CalendarRules['cross']> {
  const memory: CalendarMemory = turn.memory.calendar ?? { skipped: [] }
  const slackDays = slackOf(turn)
  const wasAtRisk = memory.atRisk === true
  const atRisk = slackDays === null ? wasAtRisk : slackDays < 0
  if (atRisk === wasAtRisk) return { memory, findings: [] }
  const type = atRisk ? 'shipment.delivery_at_risk' : 'shipment.delivery_back_on_track'
  const extras = { slack_days: slackDays, at: formatInstant(turn.at) }
  const finding = { type, about: { kind: 'rule', edge: [type] }, cause: 'calendar', extras } as const
  return { memory: { ...memory, atRisk }, findings: [finding] }
}

/** Calendar days from the estimate to the desired date; null where it cannot be told or delivery is actual. */
function slackOf({ told, calendar }: Turn): number | null {
  const desired = textField(told, 'desired_delivery_date')
  const delivery = trackingDate(told, 'delivery')
  if (desired === null || !isCalendarDate(desired)) return null
  if (delivery?.instant == null || delivery.status === 'actual') return null
  return daysBetween(dayOf(delivery.instant, calendar.timeZone), desired)
}
