import {
  claimedDelivery,
  claimedEvent,
  type ClaimedEvent,
  type ClaimedRow,
  toWaiting,
  type WaitingRow,
} from './claimed-delivery.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { BodyRow } from '../documents/stored-body.ts'
import type {
  ClaimedDelivery,
  ClaimLimit,
  ClaimRequest,
  WaitingDelivery,
  WaitingRequest,
} from '../ports/delivery-port.ts'
import { bodyColumns, bodyOf, joinBody, type RowWithBody } from '../documents/body-joins.postgres.ts'
import type { Database } from '../server/database.ts'
import { documentsOf } from '../documents/documents.postgres.ts'
import { type Bound, Query } from '../server/query.ts'

const CLAIM = Query.frequent<ClaimedRow & { readonly identity: string }>(`
  SELECT *, event_identity(event) AS identity FROM claim_deliveries(:owner, :now, :wallNow, :leaseEnd, :isAgain, :forced, :only::text[], :names::text[],
    :slots::bigint[], :among::text[], :forward::bigint[], :concurrency::bigint[], :requests::bigint[], :perMs::bigint[],
    :addresses::text[], :attempts::bigint[], :most, :from)`)
const WAITING = Query.frequent<WaitingRow>(`
  SELECT * FROM waiting_deliveries(:owner, :now, :only::text[], :names::text[], :most::bigint[], :among::text[],
    :forward::bigint[])`)
const EVENTS = Query.frequent<EventWithBodies>(`
  SELECT events.*, event_identity(events.ref) AS identity, ${bodyColumns('object')}, ${bodyColumns('before')}
  FROM events ${joinBody('object', 'object.ref = object_body')} ${joinBody('before', 'before.ref = before_body')}
  WHERE events.ref = ANY(:refs::bigint[])`)
const PROGRESS = Query.frequent<{ id: string; progress: string }>(
  'SELECT id, progress FROM deliveries WHERE id = ANY(:ids::text[]) AND progress IS NOT NULL',
)

type EventWithBodies = EventRow & RowWithBody<'object'> & RowWithBody<'before'> & { readonly identity: string }

/** What `waiting` and `claim` ask of each subscription, as columns. */
interface Asked {
  readonly among?: ClaimRequest['among']
  readonly forward?: ClaimRequest['forward']
}

function columns(names: readonly string[], { among, forward }: Asked) {
  return {
    names,
    among: names.map((name) => among?.get(name) ?? null),
    forward: names.map((name) => forward?.get(name) ?? null),
  }
}

export async function waiting(db: Database, request: WaitingRequest): Promise<readonly WaitingDelivery[]> {
  const { most, now, only, owner } = request
  const values = { owner: owner ?? null, now, only: only ?? null, most: [...most.values()] }
  const rows = await db.call(WAITING, () => ({ ...values, ...columns([...most.keys()], request) }))
  return rows.map(toWaiting)
}

/**
 * Claims by one statement, and loads the events by another one. What the last claim loaded is at hand for the next: events of one
 * change are seldom claimed all at once, and neither they nor their documents change while a row of them is open. All is compared by
 * what the events are: on a standby that was promoted without the last commits, numbers are given again.
 */
export class Claimer {
  readonly #db: Database
  /** By `identity`. */
  #events: ReadonlyMap<string, ClaimedEvent> = new Map()
  /** How many claims there were: each begins with another subscription, as none may go short where each takes a part. */
  #turns = 0

  constructor(db: Database) {
    this.#db = db
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]> {
    const values = { ...claimValues(request), from: this.#turnOf([...request.slots.keys()]) }
    const rows = await this.#db.call(CLAIM, (isAgain) => ({ ...values, isAgain }))
    if (rows.length === 0) return []
    const events = await this.#load(new Map(rows.map(({ event, identity }) => [identity, event])))
    const progress = gathers(request) ? await this.#progressOf(rows) : null
    return rows.flatMap((row) => {
      const event = events.get(row.identity)
      return event === undefined ? [] : [claimedDelivery({ ...row, progress: progress?.get(row.id) ?? null }, event)]
    })
  }

  /** Asked once the rows are claimed, so that nobody writes it meanwhile. */
  async #progressOf(rows: readonly ClaimedRow[]): Promise<ReadonlyMap<string, string>> {
    const known = await this.#db.all(PROGRESS, { ids: rows.map(({ id }) => id) })
    return new Map(known.map(({ id, progress }) => [id, progress]))
  }

  #turnOf(names: readonly string[]): string {
    this.#turns += 1
    return names[this.#turns % names.length] ?? ''
  }

  async #load(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, ClaimedEvent>> {
    const known = this.#events
    const { memory, place } = this.#db
    const refs = [...wanted].flatMap(([identity, ref]) => (known.has(identity) ? [] : [ref]))
    const rows = refs.length === 0 ? [] : await this.#db.all(EVENTS, { refs })
    const documents = documentsOf({ memory, place }, rows.flatMap(bodiesOf))
    const loaded = new Map(rows.map((row) => [row.identity, claimedEvent(row, documents)]))
    const events = new Map([...wanted.keys()].flatMap((each) => eventOf(each, loaded.get(each) ?? known.get(each))))
    this.#events = events
    return events
  }
}

function eventOf(identity: string, event: ClaimedEvent | undefined): readonly (readonly [string, ClaimedEvent])[] {
  return event === undefined ? [] : [[identity, event]]
}

/** Channels that send each row by itself keep nothing of their attempts. */
function gathers({ limits }: ClaimRequest): boolean {
  return limits === undefined || [...limits.values()].some(({ attempts }) => attempts !== undefined)
}

function bodiesOf(row: EventWithBodies): readonly BodyRow[] {
  return [bodyOf(row, 'object'), bodyOf(row, 'before')].filter((body) => body !== null)
}

function claimValues(request: ClaimRequest): Readonly<Record<string, Bound>> {
  const { forced = false, leaseMs, limits, most, now, only, owner, slots, wallNow = now } = request
  const names = [...slots.keys()]
  const limited = (read: (limit: ClaimLimit) => string | number | null | undefined) =>
    names.map((name) => {
      const limit = limits?.get(name)
      return limit === undefined ? null : (read(limit) ?? null)
    })
  return {
    owner,
    now,
    wallNow,
    leaseEnd: now + leaseMs,
    forced,
    only: only ?? null,
    most: most ?? Number.MAX_SAFE_INTEGER,
    slots: [...slots.values()],
    ...columns(names, request),
    concurrency: limited((limit) => limit.concurrency),
    requests: limited(({ rate }) => rate?.requests),
    perMs: limited(({ rate }) => rate?.perMs),
    addresses: limited(({ address }) => address),
    attempts: limited(({ attempts }) => attempts),
  }
}
