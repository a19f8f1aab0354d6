import { INTEGER_OR_NULL, table, TEXT, TEXT_OR_NULL } from '../tables/table.ts'
import { gatheringOf, isGatheredByOthers, type Sought, soughtBy } from '../../ledger/claims.ts'
import { gateOf } from '../../ledger/endpoint-state.ts'
import type { WaitingDelivery, WaitingRequest } from '../ports/delivery-port.ts'
import type { Decision, Write } from '../server/connection-transaction.ts'
import type { Database, Transaction } from '../server/database.ts'
import { JsonQuery, lookAt, Query } from '../server/query.ts'
import {
  bringForward,
  bySubscription,
  countRunOut,
  HAS_WAKING,
  HELD_COLUMNS,
  type HeldEndpoint,
  IS_READY,
  READY,
  type ReadyRow,
  SIGHT,
  wake,
} from './ready-rows.postgres.ts'
import { toWaiting } from './claimed-delivery.ts'
import { IS_SENDING } from '../endpoints/endpoint-record.ts'

const HOLD = new JsonQuery<HeldEndpoint>(`
  SELECT ${HELD_COLUMNS} FROM endpoints WHERE subscription = ANY(ARRAY(
    SELECT name FROM unnest(:names::text[]) AS each (name)
    WHERE :isAsked::boolean OR (
      SELECT 1 FROM deliveries
      WHERE ${IS_READY} AND event <> ALL (ARRAY(SELECT event FROM claims WHERE subscription = each.name AND until > :now))
      ORDER BY event LIMIT 1
    ) IS NOT NULL OR ${HAS_WAKING}
      OR each.name = ANY (ARRAY(SELECT subscription FROM endpoints WHERE recovering = 1 OR gatherer = :owner))
  )) ORDER BY subscription FOR NO KEY UPDATE`)
// The columns of this kind of store alone.
const GATHERING = table('endpoints', ['subscription'], {
  subscription: TEXT,
  gatherer: TEXT_OR_NULL,
  gathers_until: INTEGER_OR_NULL,
})
const GATHER = Query.frequent(`
  UPDATE endpoints SET gatherer = row.gatherer, gathers_until = row.gathers_until
  FROM ${GATHERING.unnested()} AS row (${GATHERING.names}) WHERE endpoints.subscription = row.subscription`)

/**
 * `DeliveryStore.waiting`. With an owner, others are shown nothing of an endpoint for as long as that one has something to gather;
 * nor is anything shown while others have claims of it. All endpoints at once, because each statement is a round trip.
 */
export async function waiting(db: Database, request: WaitingRequest): Promise<readonly WaitingDelivery[]> {
  return (await db.decide(async (tx) => await look(tx, request))).map(toWaiting)
}

async function look(tx: Transaction, request: WaitingRequest): Promise<Decision<readonly ReadyRow[]>> {
  const { most, now, only, owner = null } = request
  const names = [...most].flatMap(([name, amount]) => (amount > 0 ? [name] : []))
  if (names.length === 0) return { result: [], writes: [] }
  const held = await lookAt(tx, HOLD, { names, now, owner, isAsked: only !== undefined })
  if (held.length === 0) return { result: [], writes: [] }
  const none = held.map(() => null)
  const heldNames = held.map(({ subscription }) => subscription)
  const sights = await lookAt(tx, SIGHT, { names: heldNames, owner: owner ?? '', now, perMs: none, addresses: none })
  const known = new Map(sights.map((sight) => [sight.subscription, sight]))
  const shown = held.filter(
    (endpoint) =>
      owner === null ||
      !(isGatheredByOthers(endpoint, owner, now) || (known.get(endpoint.subscription)?.others ?? 0) > 0),
  )
  const waking = shown.filter(({ subscription }) => known.get(subscription)?.wakes === true)
  const wanted = waking.map(({ subscription }) => ({ subscription, most: most.get(subscription) ?? 0 }))
  if (waking.length > 0) await wake(tx, wanted, { now, only })
  for (const endpoint of shown) await recover(tx, request, endpoint)
  const rows = await rowsOf(tx, request, shown)
  const writes = [...countRunOut(sights, held, now), ...gather(shown, request, rows)]
  return { result: shown.flatMap(({ subscription }) => rows.get(subscription) ?? []), writes }
}

/** Brings forward what an endpoint that recovers may be sent. */
async function recover(
  tx: Transaction,
  { among, forward, most, now, only }: WaitingRequest,
  endpoint: HeldEndpoint,
): Promise<void> {
  const { subscription } = endpoint
  const gate = gateOf(endpoint)
  const isOldest = soughtBy(gate, { among: among?.get(subscription), hasChosen: only !== undefined }) === 'oldest'
  if (!isOldest || gate !== 'recovering' || (forward?.get(subscription) ?? 1) <= 0) return
  await bringForward(tx, { subscription, now, before: Number.MAX_SAFE_INTEGER, most: most.get(subscription) ?? 0 })
}

/** The rows of each subscription. Tests come behind any backlog. */
async function rowsOf(
  tx: Transaction,
  request: WaitingRequest,
  shown: readonly HeldEndpoint[],
): Promise<ReadonlyMap<string, readonly ReadyRow[]>> {
  const { among, most, now, only } = request
  const names = new Map<Sought, string[]>()
  for (const endpoint of shown) {
    const { subscription } = endpoint
    const asked = only === undefined && among?.get(subscription) === 'tests' ? 'tests' : undefined
    const sought = soughtBy(gateOf(endpoint), { among: asked, hasChosen: only !== undefined })
    for (const each of sought === 'oldest' ? [sought, 'tests' as const] : [sought])
      names.set(each, [...(names.get(each) ?? []), subscription])
  }
  const rows = new Map<number, ReadyRow>()
  for (const [sought, of] of names) {
    const mosts = of.map((name) => most.get(name) ?? 0)
    const asked = { names: of, mosts, now, only: only ?? null, total: Number.MAX_SAFE_INTEGER }
    // A row that was found twice stays where it was found first.
    for (const row of await lookAt(tx, READY[sought], asked)) if (!rows.has(row.ref)) rows.set(row.ref, row)
  }
  return bySubscription([...rows.values()])
}

function gather(
  shown: readonly HeldEndpoint[],
  { now, owner: looker }: WaitingRequest,
  rows: ReadonlyMap<string, readonly ReadyRow[]>,
): readonly Write[] {
  if (looker === undefined) return []
  const changed = shown.flatMap((endpoint) => {
    const { subscription } = endpoint
    const gathering = gatheringOf(endpoint, { looker, now, hasRows: (rows.get(subscription) ?? []).length > 0 })
    return gathering === null ? [] : [{ ...gathering, subscription }]
  })
  return changed.length === 0 ? [] : [{ query: GATHER, values: GATHERING.listed(changed) }]
}

const OF_ENDPOINT = `subscription = endpoint.subscription AND state = 'pending' AND turn IS DISTINCT FROM 0`
const READY_AT = `
  SELECT next_attempt_at AS at FROM deliveries WHERE ${OF_ENDPOINT} AND wake_at IS NULL AND event <> ALL (claimed.events)`
// One number is asked of all endpoints, because each statement is a round trip: each branch is one step into an index.
const NEXT_DUE = Query.frequent<{ at: number | null }>(`
  SELECT min(due.at) AS at FROM (
    SELECT subscription, ${IS_SENDING} AS sends FROM endpoints
    WHERE :subscriptions::text[] IS NULL OR subscription = ANY(:subscriptions)
  ) AS endpoint CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(event), '{}') AS events, min(until) AS until FROM claims
    WHERE subscription = endpoint.subscription AND until > 0
  ) AS claimed CROSS JOIN LATERAL (
    (${READY_AT} AND sends ORDER BY event LIMIT 1)
    UNION ALL (${READY_AT} AND NOT sends AND test = 1 ORDER BY event LIMIT 1)
    UNION ALL (
      SELECT wake_at FROM deliveries WHERE ${OF_ENDPOINT} AND wake_at IS NOT NULL AND sends ORDER BY wake_at LIMIT 1
    )
    UNION ALL SELECT claimed.until WHERE sends
  ) AS due`)

/** `DeliveryStore.nextDueAt`. */
export async function nextDueAt(db: Database, subscriptions: readonly string[] | null): Promise<number | null> {
  return (await db.glance(NEXT_DUE, { subscriptions }))[0]?.at ?? null
}
