import { openConfiguredStore } from '../app/configured-store.ts'
import type { RecordResource } from '../model/resource.ts'
import { recordJson } from '../report/record.ts'
import type { RecordSummary } from '../store/record-query-port.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOutput, type JsonOptions } from './json-output.ts'
import { firstItems, rowLimit } from './options.ts'
import { fitted, shortTime } from './fitted.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeTable, type Cell } from './table.ts'
import { painter } from './terminal.ts'

export interface RecordListOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly status?: string
  readonly limit?: string
}

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
  const limit = rowLimit(options)
  await using store = openConfiguredStore(config, context, 'read')
  const query = {
    resource,
    ...(q !== undefined && { q }),
    ...(account !== undefined && { account }),
    ...(status !== undefined && { status }),
  }
  const { items, more } = await firstItems((page) => store.recordPage({ ...query, ...page }), limit)
  if (items.length === 0 && account !== undefined) await assertAccountKnown(store, account, context.clock.now())
  if (json !== null) return await json.list(items, recordJson)
  if (items.length === 0) context.stdout.write('No records.\n')
  else writeTable(COLUMNS, rowsOf(items), { stream: context.stdout, paint: painter(context) })
  if (more) context.stderr.write(`The first ${items.length}; --limit N shows more.\n`)
}

function rowsOf(records: readonly RecordSummary[]): readonly (readonly Cell[])[] {
  return fitted(records.map(cells), COLUMNS, { shrinks: [2, 0, 3, 1] })
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
