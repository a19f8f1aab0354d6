import { ShipbellError } from '../../errors.ts'
import { succeeded } from '../../ledger/endpoint-state.ts'
import type { SendingEndpoint } from '../../ledger/settle.ts'
import { FAILING_FROM } from '../../model/endpoint.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { ENDPOINT_RECORD } from './endpoint-record.ts'
import { boundSql } from '../deliveries/set-columns.ts'

interface EndpointOfRecord extends SendingEndpoint {
  readonly subscription: string
}

const FIND = new Query<EndpointOfRecord>(
  `SELECT configured, enabled, ${ENDPOINT_RECORD.names} FROM endpoints WHERE subscription = ?`,
)
const WRITE = `UPDATE endpoints SET ${boundSql(ENDPOINT_RECORD.without('subscription'))} WHERE subscription = :subscription`

/** What `succeeded` says of an endpoint, without reading it first: most attempts deliver. `settle.test.ts` holds both equal. */
export const SUCCEEDED = `
  UPDATE endpoints SET failures_in_row = 0, failing_since = NULL, failing_for = 0, exhausted_since = NULL, last_error = NULL,
    last_success_at = ?, recovering = CASE WHEN failures_in_row >= ${FAILING_FROM} THEN 1 ELSE recovering END
  WHERE subscription = ?`

/**
 * The endpoints of a batch of attempts, each read where it is first asked for, and written once: how the attempts went shows in its
 * row at the end. Within one transaction, which ends with `write`. None is held, because SQLite has one writer at a time.
 */
export class EndpointRecords {
  readonly #db: Connection
  readonly #read = new Map<string, EndpointOfRecord>()
  readonly #changed = new Map<string, EndpointOfRecord>()
  /** When the last success was at those that were not read: of successes in a row only the last one shows. */
  readonly #succeeded = new Map<string, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  of(subscription: string): EndpointOfRecord {
    const known = this.#read.get(subscription) ?? this.#db.one(FIND, subscription)
    if (known === undefined) throw new ShipbellError('internal', `The endpoint ${subscription} has no row.`)
    const succeededAt = this.#succeeded.get(subscription)
    if (succeededAt === undefined) {
      this.#read.set(subscription, known)
      return known
    }
    this.#succeeded.delete(subscription)
    const endpoint = succeeded(known, succeededAt)
    this.set(endpoint)
    return endpoint
  }

  set(endpoint: EndpointOfRecord): void {
    this.#read.set(endpoint.subscription, endpoint)
    this.#changed.set(endpoint.subscription, endpoint)
  }

  /** An attempt that began at `at` succeeded. */
  succeeded(subscription: string, at: number): void {
    const known = this.#read.get(subscription)
    if (known === undefined) this.#succeeded.set(subscription, at)
    else this.set(succeeded(known, at))
  }

  write(): void {
    for (const [subscription, at] of this.#succeeded) this.#db.run(SUCCEEDED, at, subscription)
    this.#succeeded.clear()
    for (const endpoint of this.#changed.values()) this.#db.run(WRITE, { ...endpoint })
    this.#changed.clear()
  }
}
