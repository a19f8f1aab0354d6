import type { SeenResource } from '../../model/expectation.ts'
import type { AccountContext } from '../account-context.ts'
import type { JoinedRecord } from './expectation-views.ts'

/** When what rules look at was read: nothing is missed that merely has not been read. */
export class ReadTimes {
  readonly #context: Pick<AccountContext, 'account' | 'clock'>
  readonly #completeFrom: (resource: SeenResource) => number | null

  /** `completeFrom`: when the last complete pass over a list started; null: none of this process did. */
  constructor(
    context: Pick<AccountContext, 'account' | 'clock'>,
    completeFrom: (resource: SeenResource) => number | null,
  ) {
    this.#context = context
    this.#completeFrom = completeFrom
  }

  /**
   * Whether all of these resources were read by requests that were sent since an instant of the calendar. `trackingSentAt`: the last
   * read of the record's tracking, which no list shows; null: there was none.
   */
  wasReadSince(resources: readonly SeenResource[], at: number, trackingSentAt: number | null): boolean {
    const { account, clock } = this.#context
    const since = clock.now() - (clock.calendarNow(account.name) - at)
    return resources.every((resource) => {
      const sentAt = resource === 'tracking' ? trackingSentAt : this.#completeFrom(resource)
      return sentAt !== null && sentAt >= since
    })
  }

  /** Whether the tracking of a shipment has yet to be read for the first time, and a rule looks at it. */
  isUnread(resources: readonly SeenResource[], { key, state, tracking }: JoinedRecord): boolean {
    return resources.includes('tracking') && key.resource === 'shipment' && tracking === null && state.closedAt === null
  }
}
