import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

type Reader = Pick<Transaction, 'all' | 'one'>

const NAMES = new Query<{ subscription: string }>('SELECT subscription FROM endpoints ORDER BY subscription')

export async function endpointNames(db: Reader): Promise<readonly string[]> {
  return (await db.all(NAMES)).map(({ subscription }) => subscription)
}

const DEFERRED = new Query<{ amount: number }>(`
  SELECT coalesce(sum(amount), 0) AS amount FROM deferrals
  WHERE (:only::text IS NULL OR subscription = :only) AND wake_at > :now + (SELECT ahead FROM steady_time)`)

/** What no attempt put off, of all subscriptions or of one. */
export async function deferredRows(db: Reader, now: number, only: string | null): Promise<number> {
  return (await db.one(DEFERRED, { now, only }))?.amount ?? 0
}

const WHOLE = new Query<{ subscription: string }>(`
  SELECT subscription FROM tallies
  WHERE state = 'pending' AND amount = (
    SELECT coalesce(sum(amount), 0) FROM deferrals
    WHERE subscription = tallies.subscription AND wake_at > :now + (SELECT ahead FROM steady_time)
  )`)

/** The subscriptions of which every pending row waits to be sent with others. */
export async function wholeDeferred(db: Reader, now: number): Promise<ReadonlySet<string>> {
  return new Set((await db.all(WHOLE, { now })).map(({ subscription }) => subscription))
}
