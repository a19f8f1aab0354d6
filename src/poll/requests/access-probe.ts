import type { AccountSettings } from '../../model/account.ts'
import { LISTS, RECORD_OF, type Watchable } from '../../model/resource.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Ask } from './access-watch.ts'

export interface AccessProbeOptions {
  readonly account: AccountSettings
  readonly platform: Platform
  /** An item that answered, the last that did if possible; null: there is none. */
  readonly witness: (watch: Watchable) => Promise<string | null>
}

/** What shows whether a resource answers, at the price of one row or item; null: there is nothing to ask for. */
export async function accessProbe(
  watch: Watchable,
  { account, platform, witness }: AccessProbeOptions,
): Promise<Ask | null> {
  const list = LISTS.find((name) => name === watch)
  if (list !== undefined) {
    const request = { skip: 0, take: 1, shipmentIdField: account.shipmentIdField }
    return async () => platform.list(RECORD_OF[list], request)
  }
  const id = await witness(watch)
  return id === null ? null : async () => platform.item(RECORD_OF[watch], id)
}
