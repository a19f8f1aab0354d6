import { forwardingOf, soughtBy } from '../../ledger/claims.ts'
import type { EventRow } from '../events/event-rows.ts'
import { claimedDelivery, claimedEvent, type ClaimedEvent, type ClaimedRow } from './claimed-delivery.ts'
import type { ClaimAmong, ClaimedDelivery, ClaimRequest } from '../ports/delivery-port.ts'
import type { BodyReader } from '../documents/documents.sqlite.ts'
import { bringForward, mostOf, READY, type Ref, wake, wakeOf, type WithClaims } from './ready-rows.sqlite.ts'
import type { Claim, RowInLane } from './open-claims.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { gateAt } from '../endpoints/endpoint-store.sqlite.ts'
import { Query } from '../file/query.ts'

const ROWS = new Query<ReadyRow>(`
  SELECT ref, deliveries.id, subscription, round, event, next_attempt_at, resumes_at, last_told, position, progress, lane, test, turn,
    (SELECT series FROM endpoints WHERE endpoints.subscription = deliveries.subscription) AS series
  FROM json_each(?) CROSS JOIN deliveries ON ref = value`)
const EVENTS = new Query<EventRow>('SELECT events.* FROM json_each(?) CROSS JOIN events ON events.ref = value')

interface ReadyRow extends ClaimedRow, Claim, RowInLane {
  readonly event: number
  readonly next_attempt_at: number
}

/** Rows to be claimed, and what is sent of them. */
export interface Claimed {
  readonly rows: readonly ReadyRow[]
  readonly deliveries: readonly ClaimedDelivery[]
}

/**
 * Looks for rows, and writes no claims: they are in memory, because only the process that holds the store's lock sends (`OpenClaims`).
 * Rows that came due since the last claim are moved among the ready ones first, each once per wait, so that the oldest event
 * is found without looking through a backlog of rows that are ready or waiting.
 */
export function claim(
  store: WithClaims,
  { now, slots, only, among, forward, most = Number.POSITIVE_INFINITY }: ClaimRequest,
  bodies: BodyReader,
): Claimed {
  const rows: ReadyRow[] = []
  for (const [subscription, places] of slots) {
    const amount = Math.min(places, most - rows.length)
    if (amount <= 0) continue
    const choice = { only, among: among?.get(subscription), forward: forward?.get(subscription) ?? amount }
    rows.push(...readyOf(store, { subscription, now, slots: amount, ...choice }))
  }
  if (rows.length === 0) return { rows, deliveries: [] }
  const events = readEvents(store.db, rows, bodies)
  rows.sort((a, b) => a.event - b.event)
  const deliveries = rows.flatMap((row) => {
    const event = events.get(row.event)
    return event === undefined ? [] : [claimedDelivery(row, event)]
  })
  return { rows, deliveries }
}

interface Sought {
  readonly subscription: string
  readonly now: number
  readonly slots: number
  readonly only: readonly string[] | undefined
  readonly among: ClaimAmong | undefined
  readonly forward: number
}

function readyOf(store: WithClaims, { only, among, forward, ...sought }: Sought): readonly ReadyRow[] {
  const { db } = store
  const { subscription, now, slots } = sought
  const gate = gateAt(db, subscription)
  const which = soughtBy(gate, { among, hasChosen: only !== undefined })
  const chosen = only === undefined ? {} : { only: JSON.stringify(only) }
  if (chosen.only === undefined) wake(db, subscription, { now, most: slots })
  else wakeOf(db, subscription, { now, only: chosen.only })
  const ready = freeRows(store, READY[which], { ...sought, ...chosen })
  const forwarding = which === 'oldest' ? forwardingOf(gate, ready, { forward, now, slots }) : null
  if (forwarding === null || bringForward(db, { subscription, now, ...forwarding }) === 0) return ready
  return freeRows(store, READY.oldest, sought)
}

interface SoughtRows {
  readonly subscription: string
  readonly now: number
  readonly slots: number
  /** JSON. */
  readonly only?: string
}

function freeRows({ db, claims }: WithClaims, query: Query<Ref>, sought: SoughtRows): readonly ReadyRow[] {
  const { subscription, now, slots, only } = sought
  const values = { subscription, most: mostOf(claims, subscription, slots), ...(only !== undefined && { only }) }
  const refs = db.all(query, values).flatMap(({ ref }) => (claims.isUnderWay(subscription, ref, now) ? [] : ref))
  const rows = refs.length === 0 ? [] : db.all(ROWS, JSON.stringify(refs))
  return rows.filter((row) => !claims.waitsInLane(subscription, row)).slice(0, slots)
}

/** The events of these rows by `ref`, each once, however many subscriptions get it. */
function readEvents(db: Connection, rows: readonly ReadyRow[], bodies: BodyReader): ReadonlyMap<number, ClaimedEvent> {
  const refs = new Set(rows.map(({ event }) => event))
  const read = db.all(EVENTS, JSON.stringify([...refs]))
  return new Map(read.map((row) => [row.ref, claimedEvent(row, bodies)]))
}
