import type { ExceptionKey } from '../../model/exception.ts'
import type { DueReminder } from '../../model/reminder.ts'
import type { EndingException } from '../ports/exception-port.ts'
import { TABLES } from '../tables/tables.ts'

const KEY = TABLES.exceptions.only('account resource subject_id type milestone expectation')

/** The exceptions that close by themselves in a range of instants. `by`: for SQLite, whose planner knows no amounts, the index. */
export function endingSql(by: (index: string) => string): string {
  return `
    SELECT ${KEY.selected()}, ends_at AS "endsAt" FROM exceptions ${by('exceptions_ending')}
    WHERE account = :account AND ends_at IS NOT NULL AND closed_at IS NULL AND ends_at > :after AND ends_at <= :until
    ORDER BY ends_at LIMIT :most`
}

/** The reminders that are due in a range of instants. */
export function remindingSql(by: (index: string) => string): string {
  return `
    SELECT ${KEY.selected()}, exceptions.ref AS exception, exceptions.id, opened_at AS "openedAt", told,
      acknowledged_at AS "acknowledgedAt", acknowledged_until AS "acknowledgedUntil",
      due.subscription, due.number, due.due_at AS "dueAt",
      (SELECT disabled_at FROM endpoints WHERE subscription = due.subscription) AS "disabledAt",
      (SELECT state FROM deliveries WHERE subscription = due.subscription
        AND event = (SELECT ref FROM events WHERE events.id = exceptions.event)) AS state
    FROM (
      SELECT * FROM reminders ${by('reminders_due')}
      WHERE account = :account AND due_at > :after AND due_at <= :until ORDER BY due_at LIMIT :most
    ) AS due JOIN exceptions ON exceptions.ref = due.exception
    ORDER BY due.due_at, exceptions.id, due.subscription`
}

export type EndingRow = EndingException

export type RemindingRow = ExceptionKey &
  Omit<DueReminder, 'acknowledged' | 'isDisabled' | 'wasSent'> & {
    readonly acknowledgedAt: number | null
    readonly acknowledgedUntil: number | null
    readonly disabledAt: number | null
    readonly state: string | null
  }

export function dueReminder({
  acknowledgedAt,
  acknowledgedUntil,
  disabledAt,
  state,
  ...row
}: RemindingRow): DueReminder {
  const acknowledged = acknowledgedAt === null ? null : { until: acknowledgedUntil }
  return { ...row, acknowledged, isDisabled: disabledAt !== null, wasSent: state === 'delivered' }
}

// What is bound to a statement of SQLite is no integer by itself.
const STEP = 'CAST(:everyMs AS bigint)'
const NOW = 'CAST(:at AS bigint)'

/** Makes the reminders of a subscription for what is open and was sent to it, and has none yet: each at its own time. */
export function remindAnewSql(types: string): string {
  return `
    INSERT INTO reminders (exception, subscription, account, number, due_at)
    SELECT exceptions.ref, :subscription, exceptions.account, 0,
      opened_at + ${STEP} * (CASE WHEN ${NOW} > opened_at THEN (${NOW} - opened_at) / ${STEP} ELSE 0 END + 1)
    FROM exceptions
    WHERE exceptions.account = :account AND closed_at IS NULL AND ${types}
      AND EXISTS (
        SELECT 1 FROM deliveries WHERE subscription = :subscription
          AND event = (SELECT ref FROM events WHERE events.id = exceptions.event))
    ON CONFLICT DO NOTHING`
}
