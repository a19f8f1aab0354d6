import type { AttemptResult } from '../../model/attempt-result.ts'
import { listed, unnested } from '../server/statement-parts.ts'
import type { Write } from '../server/connection-transaction.ts'
import { Query } from '../server/query.ts'

const PACE = { subscription: 'text', at: 'bigint', amount: 'bigint' } as const

const COUNT = Query.frequent(`
  INSERT INTO paces AS pace SELECT * FROM ${unnested(PACE)}
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
  return paces.size === 0 ? [] : [{ query: COUNT, values: listed(PACE, [...paces.values()]) }]
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
