import { unreadableDueDate } from '../model/invoice.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'

const LONGEST_SHOWN = 60

/** What of a record cannot be read although the record is followed, as a sentence; null: nothing. */
export function flawOf(resource: RecordResource, record: JsonObject): string | null {
  if (resource !== 'invoice') return null
  const dueDate = unreadableDueDate(record)
  if (dueDate === null) return null
  const shown = JSON.stringify(dueDate).slice(0, LONGEST_SHOWN)
  return `/due_date should be a date (YYYY-MM-DD), but is ${shown}: the last one that could be read holds.`
}
