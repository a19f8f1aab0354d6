import { dateOfDay, outlinedText } from '../../model/record-outline.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'

export interface SummaryRow {
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  readonly name: string | null
  readonly status: string | null
  readonly removed_at: number | null
  readonly version: number
  readonly last_event_at: number
  readonly due_day: number | null
  readonly last_read_at: number
}

export function toSummary(row: SummaryRow): RecordSummary {
  const { account, id, name, resource, status, version } = row
  const lastEventAt = row.last_event_at === 0 ? null : row.last_event_at
  const times = { removedAt: row.removed_at, lastReadAt: row.last_read_at, lastEventAt }
  const dueOn = row.due_day === null ? null : dateOfDay(row.due_day)
  return { account, resource, id, name, status, version, ...times, dueOn }
}

/** Whether a record has the status and the due date that are asked for. */
export function isAskedRecord({ account, dueOn, removedAt, status }: RecordSummary, query: RecordQuery): boolean {
  if (query.status !== undefined && status !== outlinedText(query.status)) return false
  if (query.due === undefined) return true
  const { from, to } = query.due(account)
  return dueOn !== null && removedAt === null && (from === null || dueOn >= from) && (to === null || dueOn <= to)
}
