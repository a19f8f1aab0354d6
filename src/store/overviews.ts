import type { AccountPause } from '../model/account-pause.ts'
import type { DeliveryState } from '../model/delivery.ts'
import type { EndpointFacts } from '../model/endpoint.ts'
import type { RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { ListState } from './list-port.ts'

export interface AccountOverview {
  readonly account: string
  readonly lists: readonly ListOverview[]
  readonly lastSequence: number
  /** Requests sent in the last hour, and what the budget allows in one; null where none was sent. */
  readonly budgetUse: { readonly requests: number; readonly budgetPerHour: number } | null
  /** How long its platform is, or was, left alone; null where no request failed since one that worked. */
  readonly pause: AccountPause | null
  /** The account's own record: its health; null before the first failure or baseline. */
  readonly record: RecordState | null
}

export interface ListOverview extends ListState {
  readonly resource: RecordResource
  readonly records: number
  /** When the least and the most recently read record's last answer arrived. */
  readonly oldestReadAt: number | null
  readonly newestReadAt: number | null
}

export interface EndpointOverview extends Omit<EndpointFacts, 'held'> {
  readonly configured: boolean
  /** In the file. */
  readonly enabled: boolean
  /** Tests are in none. */
  readonly counts: Readonly<Record<DeliveryState, number>>
  /** When the oldest event that is pending rang. */
  readonly oldestPendingAt: number | null
}
