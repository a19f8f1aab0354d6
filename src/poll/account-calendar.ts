import type { CalendarSettings } from '../detect/calendar/calendar-settings.ts'
import type { AccountSettings } from '../model/account.ts'

/** What an account's calendar is judged by at an instant of it. */
export function accountCalendar({ timeZone, watch }: AccountSettings, now: number): CalendarSettings {
  const { invoices, shipments } = watch
  return {
    timeZone,
    dueSoonMs: invoices?.dueSoonMs ?? [],
    milestoneGraceMs: shipments?.milestoneGraceMs ?? 0,
    now,
  }
}

/** Equal texts, equal edges: all that the calendar is judged by but its present. */
export function calendarFingerprint(account: AccountSettings): string {
  return JSON.stringify(accountCalendar(account, 0))
}
