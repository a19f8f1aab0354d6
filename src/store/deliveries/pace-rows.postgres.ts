import type { AttemptResult } from '../../model/attempt-result.ts'
import { listed, unnested } from '../server/column-lists.ts'
import type { Write } from '../server/connection-transaction.ts'
import { Query } from '../server/query.ts'

const PACE = { subscription: 'text', at: 'bigint', amount: 'bigint' } as const

const COUNT = Query.frequent(`
  INSERT INTO paces AS pace SELECT * FROM ${unnested(PACE)}
  ON CONFLICT (subscription, at) DO UPDATE SET amount = pace.amount + excluded.amount`)

interface Ended {
  readonly row: { readonly subscription: string }
  readonly attemptResult: AttemptResult
}

/** How many attempts ended when, of endpoints that have a rate: it holds over all workers. */
export function countPaces(
  ended: readonly Ended[],
  endpoints: ReadonlyMap<string, { readonly paced_ms: number | null }>,
): readonly Write[] {
  return counted(
    ended.flatMap(({ row: { subscription }, attemptResult: { endedAt: at, shared } }) => {
      const isPaced = (endpoints.get(subscription)?.paced_ms ?? null) !== null
      return at === undefined || shared === true || !isPaced ? [] : [{ subscription, at }]
    }),
  )
}

/** How many attempts ended with their workers: at `at`, as far as anybody knows. */
export function countAtOnce(ended: readonly { readonly subscription: string }[], at: number): readonly Write[] {
  return counted(ended.map(({ subscription }) => ({ subscription, at })))
}

function counted(ended: readonly { readonly subscription: string; readonly at: number }[]): readonly Write[] {
  const paces = new Map<string, { readonly subscription: string; readonly at: number; readonly amount: number }>()
  for (const each of ended) {
    const key = JSON.stringify([each.subscription, each.at])
    paces.set(key, { ...each, amount: (paces.get(key)?.amount ?? 0) + 1 })
  }
  return paces.size === 0 ? [] : [{ query: COUNT, values: listed(PACE, [...paces.values()]) }]
}
