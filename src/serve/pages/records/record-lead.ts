import type { RecordSummary } from '../../../store/ports/record-query-port.ts'

type Named = Pick<RecordSummary, 'id' | 'name' | 'resource'>

/** What people call a record by: its name, or the number of an order, whose name is its supplier's. */
export function leadOf({ id, name, resource }: Named): string {
  return resource === 'purchase_order' ? id : (name ?? id)
}

/** What stands smaller beside the lead of a record; null where there is nothing else. */
export function besideOf({ id, name, resource }: Named): string | null {
  if (name === null || name === id) return null
  return resource === 'purchase_order' ? name : id
}
