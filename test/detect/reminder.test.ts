import { expect, test } from 'vitest'
import { reminderOf } from '../../src/detect/reminder.ts'
import type { EventType } from '../../src/model/event-catalogue.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { nextReminderAt } from '../../src/model/reminder.ts'
import { sampleState, T } from '../store/samples.ts'

const DAY = 86_400_000

function reminded(type: EventType, told: JsonObject, record: JsonObject) {
  const state = { ...sampleState('A'), seen: record, reported: record, version: 7, lastEventId: 'evt_7' }
  const key = { account: 'acme', resource: 'shipment', subjectId: 'A', type, milestone: '', expectation: '' } as const
  const sent = {
    exception: 1,
    id: 'exc_1',
    openedAt: T,
    acknowledged: null,
    subscription: 'erp',
    wasSent: true,
    isDisabled: false,
  }
  const due = { ...key, ...sent, told: JSON.stringify(told), number: 2, dueAt: T + DAY }
  return reminderOf({ due, state, shipment: null, timeZone: 'UTC', calendarAt: T + 3 * DAY, at: T + DAY })
}

test('a reminder says how late it is by now, under the version of now', () => {
  const overdue = reminded(
    'shipment.milestone_overdue',
    { date: '2026-11-21T08:00:00Z', hours_late: 24 },
    { name: 'Sofas' },
  )
  expect(overdue).toMatchObject({
    cause: 'reminder',
    subject: { id: 'A', version: 7, previousEventId: 'evt_7' },
    extras: { hours_late: 72, reminder: 3, open_since: '2026-11-21T08:00:00.000Z' },
    shipment: { name: 'Sofas' },
  })
  const dates = { delivery_date: { date: '2026-12-09T08:00:00Z', status: 'estimated' } }
  const record = { desired_delivery_date: '2026-12-01', main_tracking_dates: dates }
  expect(reminded('shipment.delivery_at_risk', { slack_days: -1 }, record).extras).toMatchObject({ slack_days: -8 })
  expect(reminded('invoice.overdue', { due_date: '2026-11-20', days_overdue: 1 }, {}).extras).toMatchObject({
    days_overdue: 4,
  })
})

test('reminders come at whole steps from when it opened, those that were missed as one', () => {
  expect([T - 1, T, T + 9, T + 10, T + 95].map((now) => nextReminderAt(T, 10, now) - T)).toEqual([10, 10, 10, 20, 100])
})
