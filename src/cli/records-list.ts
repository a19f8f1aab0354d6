import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { loadWatched } from '../config/load-part.ts'
import { ShipbellError } from '../errors.ts'
import { DUE_CHOICES, dueRange, readDueChoice } from '../model/due-choice.ts'
import type { RecordResource } from '../model/resource.ts'
import { recordJson } from '../report/record.ts'
import type { RecordQuery, RecordSummary } from '../store/ports/record-query-port.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOutput, type JsonOptions } from './json-output.ts'
import { firstItems, rowLimit } from './options.ts'
import { fitted } from './fitted.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'
import { painter } from './terminal.ts'
import { shortTime } from './wall-clock.ts'

export interface RecordListOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly status?: string
  readonly due?: string
  readonly limit?: string
}

const SHRINKS = [2, 0, 3, 1]
const DUE_COLUMN = { title: 'DUE' }
const COLUMNS = [
  { title: 'ACCOUNT' },
  { title: 'ID' },
  { title: 'NAME' },
  { title: 'STATUS' },
  { title: 'LAST EVENT' },
] as const

/** `records list` and `shipments list`. */
export async function listRecords(
  context: CommandContext,
  { q, resource }: { readonly resource: RecordResource; readonly q: string | undefined },
  options: RecordListOptions,
): Promise<void> {
  const { account, config, status } = options
  const json = jsonOutput(context, options)
  const due = dueDates(context, resource, options)
  const limit = rowLimit(options)
  await using store = await openConfiguredStore(config, context, 'read')
  const query = {
    resource,
    ...(q !== undefined && { q }),
    ...(account !== undefined && { account }),
    ...(status !== undefined && { status }),
    ...(due !== null && { due }),
  }
  const { items, more } = await firstItems((page) => store.recordPage({ ...query, ...page }), limit)
  if (items.length === 0 && account !== undefined) await assertAccountKnown(store, account, context.clock.now())
  if (json !== null) return await json.list(items, recordJson)
  if (items.length === 0) context.stdout.write('No records.\n')
  else {
    const columns = due === null ? COLUMNS : [...COLUMNS, DUE_COLUMN]
    const rows = items.map((item) => (due === null ? cells(item) : [...cells(item), item.dueOn ?? '–']))
    const fit = fitted(rows, columns, { shrinks: SHRINKS })
    writeTable(columns, fit, { stream: context.stdout, paint: painter(context) })
  }
  if (more) context.stderr.write(`The first ${items.length}; --limit N shows more.\n`)
}

/**
 * The days that a due date is looked for between, in the calendar of each account as far as the configuration can be read;
 * null: nobody asks. Throws `usage`.
 */
function dueDates(
  context: CommandContext,
  resource: RecordResource,
  { config, due }: RecordListOptions,
): NonNullable<RecordQuery['due']> | null {
  if (due === undefined) return null
  const choice = readDueChoice(due)
  if (choice === null) throw new ShipbellError('usage', `\`--due\` must be ${DUE_CHOICES}.`)
  if (resource !== 'invoice') throw new ShipbellError('usage', `Only invoices fall due: leave out \`--due\`.`)
  const zones = new Map(loadWatched(config, context)?.map(({ name, timeZone }) => [name, timeZone]))
  return (account) => dueRange(choice, context.clock.calendarNow(account), zones.get(account) ?? 'UTC')
}

function cells({ account, id, lastEventAt, name, removedAt, status }: RecordSummary): readonly Cell[] {
  return [
    account,
    id,
    name ?? '–',
    removedAt === null ? (status ?? '–') : { text: 'removed', style: 'dim' },
    lastEventAt === null ? '–' : shortTime(lastEventAt),
  ]
}
