import { openConfiguredStore } from '../operate/open-configured-store.ts'
import { ShipbellError } from '../errors.ts'
import type { RecordResource } from '../model/resource.ts'
import { recordDetailJson } from '../report/record.ts'
import type { Store } from '../store/ports/store.ts'
import type { RecordDetail } from '../store/ports/record-query-port.ts'
import type { CommandContext } from './command-context.ts'
import { jsonOutput, type JsonOptions } from './json-output.ts'
import { assertAccountKnown } from './require-named.ts'
import { writeRecord } from './write-record.ts'

export interface RecordShowOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly verbose?: true
}

interface Named {
  readonly resource: RecordResource
  readonly id: string
}

/** `records show` and `shipments show`. */
export async function showRecord(context: CommandContext, named: Named, options: RecordShowOptions): Promise<void> {
  const { account, config, verbose } = options
  const json = jsonOutput(context, options)
  await using store = await openConfiguredStore(config, context, 'read')
  const record = await requireRecord(store, { ...named, account }, context.clock.now())
  if (json !== null) return json.document(recordDetailJson(record))
  await writeRecord(context, { store, record, whole: verbose === true || record.resource !== 'shipment' })
}

async function requireRecord(
  store: Store,
  { account, id, resource }: Named & { readonly account: string | undefined },
  now: number,
): Promise<RecordDetail> {
  const accounts = account === undefined ? (await store.accounts(now)).map((each) => each.account) : [account]
  const found = await Promise.all(accounts.map((name) => store.recordDetail({ account: name, resource, id })))
  const [record, ...others] = found.filter((each) => each !== null)
  if (record !== undefined && others.length === 0) return record
  if (record !== undefined) {
    const names = [record, ...others].map((each) => each.account).join(', ')
    throw new ShipbellError(
      'usage',
      `Several accounts have a ${resource} ${JSON.stringify(id)}: choose one with --account (${names}).`,
    )
  }
  if (account !== undefined) await assertAccountKnown(store, account, now)
  const list = resource === 'shipment' ? 'shipments list' : `records list ${resource}`
  const of = account === undefined ? '' : ` of account ${account}`
  throw new ShipbellError(
    'not_found',
    `There is no ${resource} ${JSON.stringify(id)}${of}: \`shipbell ${list}\` finds them by a part of it.`,
  )
}
