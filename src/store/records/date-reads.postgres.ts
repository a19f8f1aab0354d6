import type { RecordState } from '../../model/record-state.ts'
import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import { dateValues, type DateRow } from '../../ledger/dates.ts'
import type { DateValue } from '../ports/record-query-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

/** How many values of one milestone are shown: of the oldest beyond them, none. */
const MOST_VALUES = 500

const NEWEST = new Query<DateRow & { readonly milestone: Milestone }>(`
  SELECT asked.milestone, kept.* FROM unnest(:milestones::text[]) AS asked(milestone) CROSS JOIN LATERAL (
    SELECT place, date, status, seen_at AS "seenAt", told_at AS "toldAt", event AS "eventId" FROM dates
    WHERE account = :account AND shipment = :shipment AND milestone = asked.milestone
    ORDER BY place DESC LIMIT ${MOST_VALUES}
  ) AS kept
  ORDER BY kept.place DESC`)

/** The values that the dates of a shipment had, the one of its last read included. */
export async function loadDates(
  tx: Pick<Transaction, 'all'>,
  account: string,
  record: RecordState,
): Promise<Readonly<Partial<Record<Milestone, readonly DateValue[]>>>> {
  const rows = await tx.all(NEWEST, { account, shipment: record.id, milestones: MILESTONES })
  const byMilestone = Map.groupBy(rows, ({ milestone }) => milestone)
  const known = MILESTONES.map((name) => [name, dateValues(record, name, byMilestone.get(name) ?? [])] as const)
  return Object.fromEntries(known.filter(([, values]) => values.length > 0))
}
