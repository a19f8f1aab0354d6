import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { saveToldDates } from './date-rows.ts'
import { subjectKey } from '../common/record-row.ts'
import { laneOf } from '../common/delivery-names.ts'
import type { RoutedEvent } from '../common/new-delivery.ts'
import { DeliveryWriter } from './delivery-rows.ts'
import { insertEvent, ProvenanceWriter } from './event-rows.ts'
import { EventTotals } from '../common/event-totals.ts'
import { saveTotals } from './log-totals.ts'
import { Query } from './query.ts'
import { registerAccount } from './register-account.ts'

const STORED = new Query<{ id: string }>(
  'SELECT events.id FROM json_each(?) AS sought CROSS JOIN events ON events.id = sought.value',
)
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
  const known = storedOf(db, batch.events)
  for (const event of batch.events) {
    if (stored.has(event.id) || known.has(event.id)) continue
    const storedAt = batch.storedAt ?? event.timestamp
    const added = appendEvent(db, event, { bodies: batch.bodies, heard, series, totals, provenance, storedAt })
    stored.set(event.id, added)
    rang.set(subjectKey(event.subject), storedAt)
    saveToldDates(db, { ...event, storedAt })
  }
  series.save()
  saveTotals(db, totals)
  const deliveries = new DeliveryWriter(db)
  for (const draft of batch.deliveries)
    if (!known.has(draft.eventId)) appendDelivery(deliveries, draft, stored.get(draft.eventId))
  return rang
}

/** The ids of those events that are stored already. */
function storedOf(db: Connection, events: readonly EventDraft[]): ReadonlySet<string> {
  if (events.length === 0) return new Set()
  return new Set(db.all(STORED, JSON.stringify(events.map(({ id }) => id))).map(({ id }) => id))
}

/** `unheard`: no delivery of its batch is of it. */
type Appended = RoutedEvent | 'unheard'

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
  const ref = insertEvent(db, { ...event, sequence }, { bodies, sighting: provenance.ref(), storedAt })
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
    const sequence = (this.#last.get(account) ?? this.#start(account)) + 1
    this.#last.set(account, sequence)
    return sequence
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
  if (event === undefined || event === 'unheard') {
    throw new ShipbellError(
      'internal',
      `A delivery to ${draft.subscription} names ${draft.eventId}, which is not in its batch.`,
    )
  }
  deliveries.insert(draft, event)
}
