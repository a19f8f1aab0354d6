import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { saveToldDates } from '../records/date-rows.sqlite.ts'
import { subjectKey } from '../records/record-rows.ts'
import { laneOf } from '../deliveries/delivery-names.ts'
import type { RoutedEvent } from '../deliveries/new-delivery.ts'
import { DeliveryWriter } from '../deliveries/delivery-rows.sqlite.ts'
import { insertEvent, ProvenanceWriter } from './event-rows.sqlite.ts'
import { EventTotals } from './event-totals.ts'
import { saveTotals } from './event-totals.sqlite.ts'
import { Query } from '../file/query.ts'
import { registerAccount } from '../accounts/register-account.sqlite.ts'

const LAST_SEQUENCE = new Query<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = ?',
)
const MOVE_SEQUENCE = 'UPDATE accounts SET last_sequence = ? WHERE account = ?'

/**
 * Stores events in the order given, each with the next `sequence` of its account, and their deliveries. Events that are
 * already stored are left out with their deliveries. Returns when each subject rang last, by `subjectKey`. Runs inside the
 * caller's write transaction.
 */
export function appendEvents(
  db: Connection,
  batch: {
    readonly events: readonly EventDraft[]
    readonly deliveries: readonly DeliveryDraft[]
    readonly bodies: BodyWriter
    readonly provenance?: Provenance | undefined
    /** When they rang; undefined: each at its `timestamp`. */
    readonly storedAt?: number | undefined
  },
): ReadonlyMap<string, number> {
  const rang = new Map<string, number>()
  const stored = new Map<string, Appended>()
  const heard = new Set(batch.deliveries.map(({ eventId }) => eventId))
  const provenance = new ProvenanceWriter(db, batch.provenance)
  const series = new Series(db)
  const totals = new EventTotals()
  for (const event of batch.events) {
    if (stored.has(event.id)) continue
    const storedAt = batch.storedAt ?? event.timestamp
    const added = appendEvent(db, event, { bodies: batch.bodies, heard, series, totals, provenance, storedAt })
    stored.set(event.id, added)
    if (added === 'known') continue
    rang.set(subjectKey(event.subject), storedAt)
    saveToldDates(db, event, storedAt)
  }
  if (rang.size === 0) provenance.free()
  series.save()
  saveTotals(db, totals)
  const deliveries = new DeliveryWriter(db)
  for (const draft of batch.deliveries) appendDelivery(deliveries, draft, stored.get(draft.eventId))
  return rang
}

/** `unheard`: no delivery of its batch is of it. `known`: it was stored before. */
type Appended = RoutedEvent | 'unheard' | 'known'

interface Appending {
  readonly bodies: BodyWriter
  /** Ids of the events that have deliveries. */
  readonly heard: ReadonlySet<string>
  readonly series: Series
  readonly totals: EventTotals
  readonly provenance: ProvenanceWriter
  readonly storedAt: number
}

function appendEvent(
  db: Connection,
  event: EventDraft,
  { bodies, heard, series, totals, provenance, storedAt }: Appending,
): Appended {
  const sequence = series.next(event.account ?? NO_ACCOUNT)
  const ref = insertEvent(db, event, { bodies, sequence, sighting: provenance.ref(), storedAt })
  if (ref === null) return 'known'
  series.take(event.account ?? NO_ACCOUNT, sequence)
  totals.add({ ref, account: event.account, type: event.type, resource: event.subject.resource, storedAt })
  if (!heard.has(event.id)) return 'unheard'
  return { ref, dueAt: storedAt, test: event.cause === 'test', lane: laneOf(event) }
}

/** Numbers the events of each account, within one transaction. */
class Series {
  readonly #db: Connection
  readonly #last = new Map<string, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  next(account: string): number {
    return (this.#last.get(account) ?? this.#start(account)) + 1
  }

  /** An event has it. */
  take(account: string, sequence: number): void {
    this.#last.set(account, sequence)
  }

  save(): void {
    for (const [account, sequence] of this.#last) this.#db.run(MOVE_SEQUENCE, sequence, account)
  }

  #start(account: string): number {
    registerAccount(this.#db, account)
    return this.#db.one(LAST_SEQUENCE, account)?.sequence ?? 0
  }
}

function appendDelivery(deliveries: DeliveryWriter, draft: DeliveryDraft, event: Appended | undefined): void {
  if (event === 'known') return
  if (event === undefined || event === 'unheard') {
    throw new ShipbellError(
      'internal',
      `A delivery to ${draft.subscription} names ${draft.eventId}, which is not in its batch.`,
    )
  }
  deliveries.insert(draft, event)
}
