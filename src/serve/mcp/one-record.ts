import { ShipbellError } from '../../errors.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RecordDetail } from '../../store/ports/record-query-port.ts'
import type { ToolDesk } from './tool-desk.ts'

interface Named {
  readonly resource: RecordResource
  readonly id: string
  /** Undefined: whichever account has it. */
  readonly account: string | undefined
}

/** How many accounts are named where several have a record. */
const SHOWN = 5

/** The one record that is meant. Throws `not_found`, and `usage` where several accounts have it. */
export async function requireRecord(desk: ToolDesk, named: Named): Promise<RecordDetail> {
  const { id, resource } = named
  const what = resource === 'purchase_order' ? 'order' : resource
  const accounts = named.account === undefined ? await accountsWith(desk, named) : [named.account]
  const [account, ...others] = accounts
  if (others.length > 0) {
    const some = `${accounts.slice(0, SHOWN).join(', ')}${accounts.length > SHOWN ? ' …' : ''}`
    throw new ShipbellError(
      'usage',
      `Several accounts have the ${what} ${JSON.stringify(id)}: ${some}; name one as \`account\`.`,
    )
  }
  const found = account === undefined ? null : await desk.store.recordDetail({ account, resource, id })
  if (found !== null) return found
  const where = named.account === undefined ? '' : ` of account ${JSON.stringify(named.account)}`
  const remedy =
    resource === 'shipment' ? ': find_shipments finds it by what else is known of it' : ': look at its number'
  throw new ShipbellError('not_found', `There is no ${what} ${JSON.stringify(id)}${where}${remedy}.`)
}

async function accountsWith({ accounts, store }: ToolDesk, { id, resource }: Named): Promise<readonly string[]> {
  const known = await Promise.all(
    accounts().map(async ({ name }) => ((await store.records(name, resource, [id])).has(id) ? [name] : [])),
  )
  return known.flat()
}
