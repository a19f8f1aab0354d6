import type { DeliveryState } from '../model/delivery.ts'
import type { WouldSend } from '../report/delivery.ts'
import type { CommandContext } from './command-context.ts'
import { writeTable, type Cell } from './table.ts'
import { painter, type Style } from './terminal.ts'
import { wallTime } from './wall-clock.ts'

export const DELIVERY_STYLES: Readonly<Record<DeliveryState, Style>> = {
  pending: 'yellow',
  delivered: 'green',
  exhausted: 'red',
  held: 'yellow',
  discarded: 'dim',
}

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
export function writeDeliveries(context: CommandContext, deliveries: readonly WouldSend[]): void {
  writeTable(COLUMNS, deliveries.map(cells), { stream: context.stdout, paint: painter(context) })
}

function cells(row: WouldSend): readonly Cell[] {
  return [
    row.id ?? '–',
    row.eventId,
    row.type,
    row.account ?? '–',
    row.subscription,
    row.state === null ? 'no row yet' : { text: row.state, style: DELIVERY_STYLES[row.state] },
    String(row.attempts),
    row.nextAttemptAt === null ? '–' : wallTime(row.nextAttemptAt),
    row.lastError ?? (row.lastStatus === null ? '–' : String(row.lastStatus)),
  ]
}
