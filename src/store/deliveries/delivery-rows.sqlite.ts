import type { DeliveryDraft, DeliveryState } from '../../model/delivery.ts'
import { newDelivery, type RoutedEvent } from './new-delivery.ts'
import type { Connection } from '../file/connection.ts'
import { isOpen, registerEndpoint } from '../endpoints/endpoint-store.sqlite.ts'
import { Query } from '../file/query.ts'

const ADD = `
  INSERT INTO deliveries (id, event, subscription, lane, state, next_attempt_at, test, last_told)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (event, subscription) DO NOTHING`

/** Makes rows within one transaction that shuts and opens no endpoint: each endpoint is asked for once. */
export class DeliveryWriter {
  readonly #db: Connection
  readonly #areOpen = new Map<string, boolean>()

  constructor(db: Connection) {
    this.#db = db
  }

  /**
   * Makes a row, born due: `pending` without a `wake_at`, or `held` where the endpoint is not open (a test's is pending there
   * too). Returns its id, or null where the pair has one already.
   */
  insert(draft: DeliveryDraft, event: RoutedEvent): string | null {
    const { id, lane, lastTold, nextAttemptAt, state, subscription, test } = newDelivery(
      draft,
      event,
      this.#isOpen(draft.subscription),
    )
    const key = this.#db.insert(ADD, id, event.ref, subscription, lane, state, nextAttemptAt, test, lastTold)
    return key === null ? null : id
  }

  #isOpen(subscription: string): boolean {
    let open = this.#areOpen.get(subscription)
    if (open === undefined) {
      registerEndpoint(this.#db, subscription)
      open = isOpen(this.#db, subscription)
      this.#areOpen.set(subscription, open)
    }
    return open
  }
}

const FIND = new Query<Row>(`
  SELECT delivery.ref, subscription, state, test, event.expired_at FROM deliveries AS delivery
  JOIN events AS event ON event.ref = delivery.event WHERE delivery.id = ?`)
// A row whose attempt is under way is due again when that ends.
const RETRY = `
  UPDATE deliveries SET state = :state, round = 0, next_attempt_at = :at, finished_at = NULL,
    not_before = NULL, resumes_at = NULL, wake_at = NULL
  WHERE ref = :ref`

interface Row {
  readonly ref: number
  readonly subscription: string
  readonly state: DeliveryState
  readonly test: number
  readonly expired_at: number | null
}

/**
 * Makes a row due at once, asked for at `at`. Where the endpoint is shut, the row is held and sent once that opens; a test's is
 * due all the same. Returns its state from now on; null where it is left alone: unknown, delivered (unless those too), or its
 * payload has expired.
 */
export function retryDelivery(
  db: Connection,
  id: string,
  options: { readonly at: number; readonly delivered: boolean },
): 'pending' | 'held' | null {
  const row = db.one(FIND, id)
  if (row === undefined || row.expired_at !== null || (row.state === 'delivered' && !options.delivered)) return null
  const state = row.test === 1 || isOpen(db, row.subscription) ? 'pending' : 'held'
  db.run(RETRY, { ref: row.ref, state, at: state === 'pending' ? options.at : null })
  return state
}
