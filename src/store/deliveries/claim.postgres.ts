import { forwardingOf, inTurn, isGatheredByOthers, roomFor, type Sought, soughtBy } from '../../ledger/claims.ts'
import { gateOf } from '../../ledger/endpoint-state.ts'
import type { ClaimedDelivery, ClaimLimit, ClaimRequest } from '../ports/delivery-port.ts'
import type { Decision, Write } from '../server/connection-transaction.ts'
import type { Database, Transaction } from '../server/database.ts'
import { type BoundValues, JsonQuery, lookAt, Query } from '../server/query.ts'
import {
  bringForward,
  bySubscription,
  countRunOut,
  HAS_WAKING,
  HELD_COLUMNS,
  type HeldEndpoint,
  IS_READY,
  OWN,
  READY,
  type ReadyRow,
  SIGHT,
  type SightRow,
  wake,
} from './ready-rows.postgres.ts'
import { claimedDelivery, type ClaimedRow } from './claimed-delivery.ts'
import { ClaimedEvents } from './claimed-delivery.postgres.ts'
import { keepPaces } from './open-claims.postgres.ts'

// Where others have every place nothing is held, so that nobody waits for it. Each question is a scalar of its own, which is one step
// into an index: EXISTS may be answered for all endpoints at once, by reading every row that waits.
const HOLD = new JsonQuery<HeldEndpoint>(`
  SELECT ${HELD_COLUMNS} FROM endpoints WHERE subscription = ANY(ARRAY(
    SELECT name FROM unnest(:names::text[], :slots::bigint[], :concurrency::bigint[], :attempts::bigint[])
      AS each (name, slots, concurrency, attempts)
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT event FROM claims WHERE subscription = each.name AND until > :now) AS events) AS claimed
    WHERE each.slots > 0 AND (:isAsked::boolean OR (
      (each.concurrency IS NULL OR each.attempts IS NOT NULL OR each.concurrency > cardinality(claimed.events)) AND ((
        SELECT 1 FROM deliveries WHERE ${IS_READY} AND event <> ALL (claimed.events) ORDER BY event LIMIT 1
      ) IS NOT NULL OR ${HAS_WAKING}
        OR each.name = ANY (ARRAY(SELECT subscription FROM endpoints WHERE recovering = 1)))
    )) ORDER BY name COLLATE "C" < :from, name COLLATE "C" LIMIT :mostHeld
  )) ORDER BY subscription FOR NO KEY UPDATE`)
// A claim that ran out goes to whoever sends the row now.
const TAKE = Query.frequent(`
  INSERT INTO claims (subscription, event, owner, until)
  SELECT subscription, event, :owner, :leaseEnd FROM unnest(:subscriptions::text[], :events::bigint[]) AS row (subscription, event)
  ON CONFLICT ON CONSTRAINT claims_pkey DO UPDATE SET owner = excluded.owner, until = excluded.until`)
// What was due by a clock that was ahead is due now. An instant later than now then shows that a command asked for the row meanwhile.
const SET_BACK = Query.frequent('UPDATE deliveries SET next_attempt_at = :wallNow WHERE ref = ANY(:refs::bigint[])')
const PROGRESS = Query.frequent<{ id: string; progress: string }>(
  'SELECT id, progress FROM deliveries WHERE id = ANY(:ids::text[]) AND progress IS NOT NULL',
)

/**
 * Claims under the locks of endpoints, in three round trips, and loads the events by one more. Claims are rows, because other workers
 * must see them, and run out, because a worker may die.
 */
export class Claimer {
  readonly #db: Database
  readonly #events: ClaimedEvents
  /** How many claims there were: each begins with another subscription, as none may go short where each takes a part. */
  #turns = 0

  constructor(db: Database) {
    this.#db = db
    this.#events = new ClaimedEvents(db)
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]> {
    const first = this.#turnOf([...request.slots.keys()])
    const rows = await this.#db.decide(async (tx, isAgain) => await new Claim(tx, request, { first, isAgain }).take())
    if (rows.length === 0) return []
    const events = await this.#events.load(new Map(rows.map(({ event, identity }) => [identity, event])))
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
}

/** Channels that send each row by itself keep nothing of their attempts. */
function gathers({ limits }: ClaimRequest): boolean {
  return limits === undefined || [...limits.values()].some(({ attempts }) => attempts !== undefined)
}

interface Turn {
  /** The subscription that has the first turn. */
  readonly first: string
  /** The claim may have been made already, and its answer was lost. */
  readonly isAgain: boolean
}

/** What is sought of an endpoint, and how many rows at most. */
interface Place {
  readonly endpoint: HeldEndpoint
  readonly sought: Sought
  readonly most: number
  readonly wakes: boolean
}

/** One claim within its transaction. */
class Claim {
  readonly #tx: Transaction
  readonly #request: ClaimRequest
  readonly #turn: Turn

  constructor(tx: Transaction, request: ClaimRequest, turn: Turn) {
    this.#tx = tx
    this.#request = request
    this.#turn = turn
  }

  async take(): Promise<Decision<readonly ReadyRow[]>> {
    const { limits = new Map<string, ClaimLimit>(), now, wallNow = now } = this.#request
    const held = await lookAt(this.#tx, HOLD, this.#asked())
    if (held.length === 0) return { result: [], writes: [] }
    const { oldest, own, sights } = await this.#look(held)
    const taken = await this.#takeOf(this.#placesOf(held, sights), { oldest, own })
    const ahead = taken.filter((row) => row.next_attempt_at > wallNow).map(({ ref }) => ref)
    const writes = [
      ...countRunOut(sights, held, now),
      ...keepPaces(held, limits, now),
      ...(taken.length === 0 ? [] : [this.#claimed(taken)]),
      ...(ahead.length === 0 ? [] : [{ query: SET_BACK, values: { refs: ahead, wallNow } }]),
    ]
    return { result: taken.toSorted((one, other) => one.event - other.event || one.ref - other.ref), writes }
  }

  get #most(): number {
    return this.#request.most ?? Number.MAX_SAFE_INTEGER
  }

  #asked(): BoundValues {
    const { limits, now, only, slots } = this.#request
    const { first, isAgain } = this.#turn
    const names = [...slots.keys()]
    return {
      now,
      names,
      slots: [...slots.values()],
      concurrency: names.map((name) => limits?.get(name)?.concurrency ?? null),
      attempts: names.map((name) => limits?.get(name)?.attempts ?? null),
      isAsked: isAgain || only !== undefined,
      from: first,
      mostHeld: isAgain ? Number.MAX_SAFE_INTEGER : this.#most,
    }
  }

  /**
   * Statements of their own, which see what those did who held the endpoints before. The oldest rows are read at once, as if others had
   * claimed nothing: most often that is so, or they suffice.
   */
  async #look(held: readonly HeldEndpoint[]) {
    const { leaseMs, limits, now, only = null, owner, slots } = this.#request
    const names = held.map(({ subscription }) => subscription)
    const perMs = names.map((name) => limits?.get(name)?.rate?.perMs ?? null)
    const addresses = names.map((name) => limits?.get(name)?.address ?? null)
    const inOrder = inTurn(held, this.#turn.first).map(({ subscription }) => subscription)
    const mosts = inOrder.map((name) => slots.get(name) ?? 0)
    const [sights, oldest, own] = await Promise.all([
      lookAt(this.#tx, SIGHT, { names, owner, now, perMs, addresses }),
      only === null ? lookAt(this.#tx, READY.oldest, { names: inOrder, mosts, now, total: this.#most }) : [],
      this.#turn.isAgain ? this.#tx.all(OWN, { names, owner, leaseEnd: now + leaseMs, only }) : [],
    ])
    return { sights, oldest, own }
  }

  /** The endpoints of which something may be taken, in turn. */
  #placesOf(held: readonly HeldEndpoint[], sights: readonly SightRow[]): readonly Place[] {
    const { among, forced: isForced = false, limits, now, only, owner, slots } = this.#request
    const known = new Map(sights.map((sight) => [sight.subscription, sight]))
    return inTurn(held, this.#turn.first).flatMap((endpoint) => {
      const { subscription } = endpoint
      const sight = known.get(subscription)
      if (sight === undefined) return []
      const limit = limits?.get(subscription) ?? null
      const isOthers = isGatheredByOthers(endpoint, owner, now)
      const most = roomFor(slots.get(subscription) ?? 0, limit, { ...sight, isGatheredByOthers: isOthers, isForced })
      const rests = limit !== null && sight.rests && !isForced
      const asked = rests ? 'tests' : among?.get(subscription)
      const sought = soughtBy(gateOf(endpoint), { among: asked, hasChosen: only !== undefined })
      return most <= 0 ? [] : [{ endpoint, sought, most, wakes: sight.wakes }]
    })
  }

  async #takeOf(
    places: readonly Place[],
    { oldest, own }: { readonly oldest: readonly ReadyRow[]; readonly own: readonly ReadyRow[] },
  ): Promise<readonly ReadyRow[]> {
    const { now, only } = this.#request
    const waking = places.filter(({ wakes }) => wakes).map(({ endpoint, most }) => ({ ...endpoint, most }))
    if (waking.length > 0) await wake(this.#tx, waking, { now, only })
    const seen = bySubscription(oldest)
    const isSeen = waking.length === 0 && this.#suffice(places, seen, oldest.length)
    const ready = isSeen ? seen : await this.#read(places)
    const taken = [...own]
    for (const { endpoint, sought, most } of places) {
      const room = Math.min(most, this.#most - taken.length)
      const rows = (ready.get(endpoint.subscription) ?? []).slice(0, Math.max(0, room))
      if (room <= 0 || sought !== 'oldest') taken.push(...rows)
      else taken.push(...(await this.#broughtForward({ endpoint, sought, most: room, wakes: false }, rows)))
    }
    return taken
  }

  /** Whether rows that were read as if others had claimed nothing are all that may be taken. */
  #suffice(places: readonly Place[], seen: ReadonlyMap<string, readonly ReadyRow[]>, amount: number): boolean {
    if (places.some(({ sought }) => sought !== 'oldest')) return false
    if (amount < this.#most) return true
    const usable = places.map(({ endpoint, most }) => Math.min(most, seen.get(endpoint.subscription)?.length ?? 0))
    return usable.reduce((sum, each) => sum + each, 0) >= this.#most
  }

  /** What is ready of each place, sought in one way together. */
  async #read(places: readonly Place[]): Promise<ReadonlyMap<string, readonly ReadyRow[]>> {
    const { now, only = null } = this.#request
    const rows: ReadyRow[] = []
    for (const sought of new Set(places.map((place) => place.sought))) {
      const of = places.filter((place) => place.sought === sought)
      const names = of.map(({ endpoint }) => endpoint.subscription)
      const mosts = of.map(({ most }) => most)
      rows.push(...(await lookAt(this.#tx, READY[sought], { names, mosts, now, only, total: this.#most })))
    }
    return bySubscription(rows)
  }

  /** The rows, and of an endpoint that recovers also what waits for its schedule. */
  async #broughtForward(place: Place, rows: readonly ReadyRow[]): Promise<readonly ReadyRow[]> {
    const { forward, now } = this.#request
    const { endpoint, most } = place
    const { subscription } = endpoint
    const may = { forward: forward?.get(subscription) ?? most, now, slots: most }
    const forwarding = forwardingOf(gateOf(endpoint), rows, may)
    if (forwarding === null || (await bringForward(this.#tx, { subscription, now, ...forwarding })) === 0) return rows
    return (await this.#read([place])).get(subscription) ?? []
  }

  #claimed(taken: readonly ReadyRow[]): Write {
    const { leaseMs, now, owner } = this.#request
    const subscriptions = taken.map(({ subscription }) => subscription)
    const events = taken.map(({ event }) => event)
    return { query: TAKE, values: { subscriptions, events, owner, leaseEnd: now + leaseMs } }
  }
}
