import type { AccountSettings } from '../../src/model/account.ts'
import { idOf, Polling, shipments, WATCH } from './polling.ts'

export const onlyShipments = { watch: { shipments: WATCH.shipments } }

/** So many shipments, learnt by a first pass. */
export async function baselined(count = 10, settings: Partial<AccountSettings> = onlyShipments): Promise<Polling> {
  const polling = new Polling(settings)
  polling.platform.shipments = shipments(count)
  await polling.pass()
  return polling
}

/** The platform shows these no more. */
export function without(polling: Polling, ...ids: readonly string[]): void {
  polling.platform.shipments = polling.platform.shipments.filter((each) => !ids.includes(idOf(each)))
}
