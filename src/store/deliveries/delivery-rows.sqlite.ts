import { type AskedRow, RETRIED, retry } from '../../ledger/settle.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import { NEW_DELIVERY, newDelivery, outermostPosition, type RoutedEvent } from './new-delivery.ts'
import type { Connection } from '../file/connection.ts'
import { registerEndpoint } from '../endpoints/endpoint-store.sqlite.ts'
import { type EndpointSwitches, isOpen } from '../../ledger/endpoint-state.ts'
import { endedBefore } from '../../ledger/feeds.ts'
import { type Numbered, Numbering } from '../../ledger/positions.ts'
import { Query } from '../file/query.ts'
import { settingsSql } from './set-columns.ts'

// A trigger gives turns, because each statement would be one more for every row.
const ADD = `${NEW_DELIVERY.without('turn').insert} ON CONFLICT (event, subscription) DO NOTHING`

interface EndpointOfNew extends EndpointSwitches, Numbered {}

// The newest number is one step into an index, which costs less than to write it with every commit.
const ENDPOINT = new Query<EndpointOfNew>(`
  SELECT configured, enabled, disabled_at, dropped_position,
    ${outermostPosition('DESC', 'INDEXED BY deliveries_position')} AS kept_position
  FROM endpoints WHERE subscription = ?`)

/** Makes rows within one transaction that shuts and opens no endpoint: each endpoint is asked for once. */
export class DeliveryWriter {
  readonly #db: Connection
  readonly #areOpen = new Map<string, boolean>()
  readonly #numbering = new Numbering()

  constructor(db: Connection) {
    this.#db = db
  }

  /**
   * Makes a row, born due: `pending` without a `wake_at`, or `held` where the endpoint is not open (a test's is pending there
   * too). Returns its id, or null where the pair has one already.
   */
  insert(draft: DeliveryDraft, event: RoutedEvent): string | null {
    const isOpen = this.#isOpen(draft.subscription)
    const row = { subscription: draft.subscription, test: event.test }
    const made = newDelivery(draft, event, { isOpen, position: this.#numbering.next(row) })
    const { id, lane, lastTold, nextAttemptAt, position, state, subscription, test } = made
    const key = this.#db.insert(ADD, id, event.ref, subscription, lane, state, nextAttemptAt, test, lastTold, position)
    if (key === null) return null
    this.#numbering.made(row)
    return id
  }

  #isOpen(subscription: string): boolean {
    let open = this.#areOpen.get(subscription)
    if (open === undefined) {
      registerEndpoint(this.#db, subscription)
      const endpoint = this.#db.one(ENDPOINT, subscription)
      open = endpoint !== undefined && isOpen(endpoint)
      this.#areOpen.set(subscription, open)
      if (endpoint !== undefined) this.#numbering.begin(subscription, endpoint)
    }
    return open
  }
}

const FIND = new Query<AskedRow & Reopened & { readonly ref: number }>(`
  SELECT delivery.ref, position, subscription, ended_position, state, test, event.expired_at, configured, enabled, disabled_at FROM deliveries AS delivery
  JOIN events AS event ON event.ref = delivery.event JOIN endpoints USING (subscription) WHERE delivery.id = ?`)
const RETRY = `
  UPDATE deliveries SET ${settingsSql(RETRIED)}, state = :state, next_attempt_at = :next_attempt_at WHERE ref = :ref`

const LOWER = 'UPDATE endpoints SET ended_position = :to WHERE subscription = :subscription'

interface Reopened {
  readonly subscription: string
  readonly position: number | null
  readonly ended_position: number
}

/**
 * Makes a row due at once, asked for at `at`, as `retry` has it. Returns its state from now on; null where it is left alone: that, or
 * it is unknown. One by one, because a statement of SQLite is no round trip.
 */
export function retryDelivery(
  db: Connection,
  id: string,
  options: { readonly at: number; readonly delivered: boolean },
): 'pending' | 'held' | null {
  const row = db.one(FIND, id)
  const retried = row === undefined ? null : retry(row, options)
  if (row === undefined || retried === null) return null
  db.run(RETRY, { ...retried, ref: row.ref })
  const { ended_position: ended, position, subscription } = row
  const to = endedBefore(ended, position)
  if (to < ended) db.run(LOWER, { subscription, to })
  return retried.state
}
