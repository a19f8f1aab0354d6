import { INTEGER, table, TEXT } from '../tables/table.ts'
import type { AttemptResult } from '../../model/attempt-result.ts'
import type { Write } from '../server/connection-transaction.ts'
import { Query } from '../server/query.ts'
import { leaveLanes } from './lane-rows.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'

const PACE = table('paces', ['subscription', 'at'], { subscription: TEXT, at: INTEGER, amount: INTEGER })

const COUNT = Query.frequent(`
  INSERT INTO paces AS pace SELECT * FROM ${PACE.unnested()}
  ON CONFLICT (subscription, at) DO UPDATE SET amount = pace.amount + excluded.amount`)

/** How many attempts ended at an instant. */
interface Pace {
  readonly subscription: string
  readonly at: number
  readonly amount: number
}

interface Ended {
  readonly row: { readonly subscription: string }
  readonly attemptResult: AttemptResult
}

/** Counts how many attempts ended when, at endpoints that have a rate: it holds over all workers. */
export function countPaces(
  ended: readonly Ended[],
  endpoints: ReadonlyMap<string, { readonly paced_ms: number | null }>,
): readonly Write[] {
  return counted(
    ended.flatMap(({ row: { subscription }, attemptResult: { endedAt: at, shared } }) => {
      const isPaced = (endpoints.get(subscription)?.paced_ms ?? null) !== null
      return at === undefined || shared === true || !isPaced ? [] : [{ subscription, at, amount: 1 }]
    }),
  )
}

/** Counts attempts that ended with their workers: at `at`, as far as anybody knows. */
export function countAtOnce(ended: readonly Omit<Pace, 'at'>[], at: number): readonly Write[] {
  return counted(ended.map(({ amount, subscription }) => ({ subscription, at, amount })))
}

function counted(ended: readonly Pace[]): readonly Write[] {
  const paces = new Map<string, Pace>()
  for (const each of ended) {
    const key = JSON.stringify([each.subscription, each.at])
    paces.set(key, { ...each, amount: (paces.get(key)?.amount ?? 0) + each.amount })
  }
  return paces.size === 0 ? [] : [{ query: COUNT, values: PACE.listed([...paces.values()]) }]
}

const FORGET = Query.frequent(`
  DELETE FROM paces USING unnest(:names::text[], :perMs::bigint[]) AS each (name, per_ms)
  WHERE subscription = each.name AND (each.per_ms IS NULL OR at <= :now - each.per_ms)`)
const SET = Query.frequent(`
  UPDATE endpoints SET paced_ms = each.per_ms FROM unnest(:names::text[], :perMs::bigint[]) AS each (name, per_ms)
  WHERE subscription = each.name`)

/** Keeps the windows of rates as they are configured now, of endpoints that are held, and forgets what ended before. */
export function keepPaces(
  held: readonly { readonly subscription: string; readonly paced_ms: number | null }[],
  limits: ReadonlyMap<string, { readonly rate: { readonly perMs: number } | null }>,
  now: number,
): readonly Write[] {
  const windows = held.flatMap(({ paced_ms: before, subscription: name }) => {
    const limit = limits.get(name)
    const perMs = limit?.rate?.perMs ?? null
    return limit === undefined || (before === null && perMs === null) ? [] : [{ name, before, perMs }]
  })
  const changed = windows.filter(({ before, perMs }) => before !== perMs)
  const valuesOf = (of: typeof windows) => ({ names: of.map(({ name }) => name), perMs: of.map(({ perMs }) => perMs) })
  return [
    ...(windows.length === 0 ? [] : [{ query: FORGET, values: { ...valuesOf(windows), now } }]),
    ...(changed.length === 0 ? [] : [{ query: SET, values: valuesOf(changed) }]),
  ]
}

/** Whether whoever `owner` names is alive; `:alive` null: as the workers have it that live. */
function isAlive(owner: string): string {
  return `CASE WHEN :alive::text[] IS NULL THEN EXISTS (SELECT 1 FROM workers WHERE id = ${owner}) ELSE ${owner} = ANY(:alive::text[]) END`
}

const HOLD = new Query<{ subscription: string; paced_ms: number | null }>(`
  SELECT subscription, paced_ms FROM endpoints
  WHERE (gatherer IS NOT NULL AND NOT ${isAlive('gatherer')}) OR EXISTS (
    SELECT 1 FROM claims WHERE claims.subscription = endpoints.subscription AND NOT ${isAlive('owner')}
  )
  ORDER BY subscription FOR NO KEY UPDATE`)
const END = new Query<{ subscription: string; event: number }>(`
  DELETE FROM claims WHERE subscription = ANY(:names::text[]) AND NOT ${isAlive('owner')} RETURNING subscription, event`)
const LET_GO = new Query(`
  UPDATE endpoints SET gatherer = NULL, gathers_until = NULL
  WHERE subscription = ANY(:names::text[]) AND gatherer IS NOT NULL AND NOT ${isAlive('gatherer')}`)

/**
 * `DeliveryStore.recoverClaims`. Claims are rows, because other workers must see them. A worker that joins meanwhile is known by whoever
 * holds the endpoint that it claimed under. `alive` null: those among the workers of the store.
 */
export async function recoverClaims(tx: Transaction, alive: readonly string[] | null, now: number): Promise<number> {
  const held = await tx.all(HOLD, { alive })
  if (held.length === 0) return 0
  const names = held.map(({ subscription }) => subscription)
  const ended = await tx.all(END, { names, alive })
  const paced = new Set(held.flatMap(({ paced_ms: paced, subscription }) => (paced === null ? [] : [subscription])))
  const counted = ended.flatMap(({ subscription }) => (paced.has(subscription) ? [{ subscription, amount: 1 }] : []))
  for (const { query, values } of countAtOnce(counted, now)) await tx.run(query, values)
  await leaveLanes(tx, ended)
  await tx.run(LET_GO, { names, alive })
  return ended.length
}

const STRAY = `
  SELECT claims.subscription, claims.event FROM claims JOIN deliveries USING (subscription, event)
  WHERE owner = :owner AND deliveries.id <> ALL(:sent::text[])`
const FIND_STRAY = new Query<{ subscription: string }>(`SELECT DISTINCT subscription FROM (${STRAY}) AS stray`)
const END_STRAY = new Query<{ subscription: string; event: number }>(`
  DELETE FROM claims WHERE (subscription, event) IN (${STRAY}) RETURNING subscription, event`)

/** `DeliveryStore.releaseClaims`. Most looks find nothing, and hold nothing. */
export async function releaseClaims(db: Database, owner: string, sent: readonly string[]): Promise<number> {
  const stray = await db.all(FIND_STRAY, { owner, sent })
  if (stray.length === 0) return 0
  return await db.write(async (tx) => {
    const names = stray.map(({ subscription }) => subscription)
    await lockEndpoints(tx, names)
    const ended = await tx.all(END_STRAY, { owner, sent })
    await leaveLanes(tx, ended)
    return ended.length
  })
}
