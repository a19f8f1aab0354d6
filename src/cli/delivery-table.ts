import type { Delivery } from '../model/delivery.ts'
import { formatInstant } from '../model/instant.ts'
import type { CommandContext } from './command-context.ts'
import { DELIVERY_STYLES } from './delivery-styles.ts'
import { painter } from './paint.ts'
import { writeTable, type Cell } from './table.ts'

const COLUMNS = [
  { title: 'ID' },
  { title: 'EVENT' },
  { title: 'TYPE' },
  { title: 'ACCOUNT' },
  { title: 'SUBSCRIPTION' },
  { title: 'STATE' },
  { title: 'ATTEMPTS', align: 'right' },
  { title: 'NEXT ATTEMPT' },
  { title: 'LAST OUTCOME' },
] as const

/** Rows of the ledger for people. */
export function writeDeliveries(context: CommandContext, deliveries: readonly Delivery[]): void {
  writeTable(COLUMNS, deliveries.map(cells), { stream: context.stdout, paint: painter(context) })
}

function cells(row: Delivery): readonly Cell[] {
  return [
    row.id,
    row.eventId,
    row.type,
    row.account ?? '–',
    row.subscription,
    { text: row.state, style: DELIVERY_STYLES[row.state] },
    String(row.attempts),
    row.nextAttemptAt === null ? '–' : formatInstant(row.nextAttemptAt),
    row.lastError ?? (row.lastStatus === null ? '–' : String(row.lastStatus)),
  ]
}
