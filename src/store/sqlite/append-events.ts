import { hash } from 'node:crypto'
import { ShipbellError } from '../../errors.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { EventDraft } from '../../model/event.ts'
import type { Sighting } from '../../model/sighting.ts'
import type { BodyWriter } from './bodies.ts'
import type { Connection } from './connection.ts'
import { isOpen, registerEndpoint } from './endpoint-gate.ts'
import { insertEvent } from './event-rows.ts'
import { NO_ACCOUNT } from './no-account.ts'
import { Query } from './query.ts'
import { SightingWriter } from './sightings.ts'

const START_SERIES = 'INSERT INTO accounts (account) VALUES (?) ON CONFLICT DO NOTHING'
const STORED = new Query('SELECT 1 FROM events WHERE id = ?')
const NEXT_SEQUENCE = new Query<{ sequence: number }>(`
  UPDATE accounts SET last_sequence = last_sequence + 1 WHERE account = ? RETURNING last_sequence AS sequence`)
const ADD_DELIVERY = `
  INSERT INTO deliveries (id, event, subscription, state, next_attempt_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (event, subscription) DO NOTHING`

interface Stored {
  readonly ref: number
  readonly timestamp: number
}

/**
 * Stores events in the order given, each with the next `sequence` of its account, and their deliveries. Events that are
 * already stored are left out with their deliveries. Runs inside the caller's write transaction.
 */
export function appendEvents(
  db: Connection,
  batch: {
    readonly events: readonly EventDraft[]
    readonly deliveries: readonly DeliveryDraft[]
    readonly bodies: BodyWriter
    readonly sighting?: Sighting | undefined
  },
): void {
  const stored = new Map<string, Stored | 'known'>()
  const sighting = new SightingWriter(db, batch.sighting)
  for (const event of batch.events) {
    if (stored.has(event.id)) continue
    stored.set(event.id, appendEvent(db, event, { bodies: batch.bodies, sighting }))
  }
  for (const draft of batch.deliveries) appendDelivery(db, draft, stored.get(draft.eventId))
}

function appendEvent(
  db: Connection,
  event: EventDraft,
  { bodies, sighting }: { readonly bodies: BodyWriter; readonly sighting: SightingWriter },
): Stored | 'known' {
  if (db.one(STORED, event.id) !== undefined) return 'known'
  const series = event.account ?? NO_ACCOUNT
  db.run(START_SERIES, series)
  const sequence = db.one(NEXT_SEQUENCE, series)?.sequence
  const ref =
    sequence === undefined ? undefined : insertEvent(db, { ...event, sequence }, { bodies, sighting: sighting.ref() })
  if (ref === undefined) throw new ShipbellError('internal', `The event ${event.id} could not be numbered.`)
  return { ref, timestamp: event.timestamp }
}

/** Born due: `pending` without a `wake_at`, or `held` where the endpoint is not open. */
function appendDelivery(db: Connection, draft: DeliveryDraft, event: Stored | 'known' | undefined): void {
  if (event === 'known') return
  if (event === undefined) {
    throw new ShipbellError(
      'internal',
      `A delivery to ${draft.subscription} names ${draft.eventId}, which is not in its batch.`,
    )
  }
  registerEndpoint(db, draft.subscription)
  const open = isOpen(db, draft.subscription)
  db.run(
    ADD_DELIVERY,
    deliveryId(draft),
    event.ref,
    draft.subscription,
    open ? 'pending' : 'held',
    open ? event.timestamp : null,
  )
}

/** The same on every store that holds the same event. */
function deliveryId({ eventId, subscription }: DeliveryDraft): string {
  return `dlv_${hash('sha256', `${eventId}\n${subscription}`).slice(0, 32)}`
}
