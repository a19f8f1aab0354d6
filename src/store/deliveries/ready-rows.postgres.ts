import {
  comesAgain,
  type ForwardingAt,
  type Gathering,
  MOST_LOOKED_THROUGH,
  recoveryOf,
  type Sought,
  WOKEN_AT_ONCE,
} from '../../ledger/claims.ts'
import type { gateOf } from '../../ledger/endpoint-state.ts'
import type { Write } from '../server/connection-transaction.ts'
import type { Transaction } from '../server/database.ts'
import { JsonQuery, Query } from '../server/query.ts'
import type { ClaimedRow, WaitingRow } from './claimed-delivery.ts'
import { countAtOnce } from './open-claims.postgres.ts'

/** An endpoint that is held, as far as claims go by it. */
export type HeldEndpoint = Parameters<typeof gateOf>[0] &
  Gathering & {
    readonly subscription: string
    /** The window of its rate; null: it has none, and nothing is counted. */
    readonly paced_ms: number | null
  }

/** A row that is due, and that nobody has claimed. */
export interface ReadyRow extends ClaimedRow, WaitingRow {
  readonly ref: number
  /** What its event is, whatever its number: on a standby that was promoted numbers are given again. */
  readonly identity: string
}

export const IDENTITY = `concat_ws(' ', events.id, events.account, events.sequence, events.stored_at)`
const READY_ROW = `
  delivery.ref, delivery.id, subscription, round, event, next_attempt_at, resumes_at, last_told, position, stored_at,
  events.account, cause, resource, subject_id, ${IDENTITY} AS identity,
  (SELECT series FROM endpoints WHERE endpoints.subscription = delivery.subscription) AS series`
export const IS_READY = `subscription = each.name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0`
const IS_WAITING = `state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0`
export const HELD_COLUMNS = `
  subscription, configured, enabled, disabled_at, queued_to, recovering, paced_ms, gatherer, gathers_until`

/** When the next row comes due that waits: one step into an index. EXISTS may be answered for all endpoints at once. */
export const HAS_WAKING = `(
  SELECT 1 FROM deliveries WHERE subscription = each.name AND ${IS_WAITING} AND wake_at <= :now ORDER BY wake_at LIMIT 1
) IS NOT NULL`

export const READY: Readonly<Record<Sought, JsonQuery<ReadyRow>>> = {
  oldest: readyRows('true', 'event'),
  newest: readyRows('true', 'event DESC'),
  tests: readyRows('test = 1', 'event'),
  chosen: readyRows('id = ANY(:only::text[])', 'event'),
  'chosen tests': readyRows('id = ANY(:only::text[]) AND test = 1', 'event'),
}

// Events alone, which the index of ready rows has itself: for more of a row another index may seem cheaper, which has what waits, too.
function readyRows(condition: string, order: string): JsonQuery<ReadyRow> {
  return new JsonQuery<ReadyRow>(`
    SELECT ${READY_ROW} FROM (
      SELECT each.name AS subscription, found.event, each.place
      FROM unnest(:names::text[], :mosts::bigint[]) WITH ORDINALITY AS each (name, most, place) CROSS JOIN LATERAL (
        SELECT event FROM deliveries
        WHERE ${IS_READY} AND ${condition}
          AND event <> ALL (ARRAY(SELECT event FROM claims WHERE subscription = each.name AND until > :now))
        ORDER BY ${order} LIMIT each.most
      ) AS found
      ORDER BY each.place LIMIT :total
    ) AS chosen JOIN deliveries AS delivery USING (subscription, event) JOIN events ON events.ref = event
    ORDER BY chosen.place, event`)
}

/** What is claimed already by this owner, until this instant. */
export const OWN = new Query<ReadyRow>(`
  SELECT ${READY_ROW} FROM claims JOIN deliveries AS delivery USING (subscription, event) JOIN events ON events.ref = event
  WHERE subscription = ANY(:names::text[]) AND owner = :owner AND until = :leaseEnd
    AND (:only::text[] IS NULL OR delivery.id = ANY(:only))`)

/** What a claim sees of an endpoint that it holds. */
export interface SightRow {
  readonly subscription: string
  readonly claimed: number
  readonly others: number
  /** Claims that ran out, and were not counted yet. */
  readonly ranOut: number
  readonly paced: number
  /** The address that it sends to asked to be left alone. */
  readonly rests: boolean
  /** Rows have come due that waited. */
  readonly wakes: boolean
}

export const SIGHT = new JsonQuery<SightRow>(`
  SELECT each.name AS subscription, claims.claimed, claims.others, claims."ranOut",
    (SELECT coalesce(sum(amount), 0) FROM paces WHERE subscription = each.name AND at > :now - each.per_ms) AS paced,
    (SELECT 1 FROM rests WHERE address = each.address AND until > :now LIMIT 1) IS NOT NULL AS rests, ${HAS_WAKING} AS wakes
  FROM unnest(:names::text[], :perMs::bigint[], :addresses::text[]) AS each (name, per_ms, address) CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE until > :now) AS claimed,
      count(*) FILTER (WHERE until > :now AND owner <> :owner) AS others,
      count(*) FILTER (WHERE until <= :now AND until > 0) AS "ranOut"
    FROM claims WHERE subscription = each.name
  ) AS claims`)

const AWAKE = 'wake_at = NULL, next_attempt_at = least(next_attempt_at, wake_at - (SELECT ahead FROM steady_time))'
const WAKE = Query.frequent(`
  UPDATE deliveries SET ${AWAKE} WHERE ref = ANY(ARRAY(
    SELECT ref FROM unnest(:names::text[], :mosts::bigint[]) AS each (name, most) CROSS JOIN LATERAL (
      SELECT ref FROM deliveries WHERE subscription = each.name AND ${IS_WAITING} AND wake_at <= :now
      ORDER BY wake_at LIMIT greatest(each.most, ${WOKEN_AT_ONCE})
    ) AS due
  ))`)
const WAKE_OF = new Query(`
  UPDATE deliveries SET ${AWAKE}
  WHERE id = ANY(:only::text[]) AND subscription = ANY(:names::text[]) AND ${IS_WAITING} AND wake_at <= :now`)
const RUN_OUT = Query.frequent(`
  UPDATE claims SET until = 0 WHERE subscription = ANY(:names::text[]) AND until <= :now AND until > 0`)

/**
 * Makes ready what has come due of these endpoints, of which so many rows are sought; `only`: of these deliveries alone. All endpoints at
 * once, because each statement is a round trip.
 */
export async function wake(
  tx: Transaction,
  waking: readonly { readonly subscription: string; readonly most: number }[],
  { now, only }: { readonly now: number; readonly only: readonly string[] | undefined },
): Promise<void> {
  const names = waking.map(({ subscription }) => subscription)
  if (only === undefined) await tx.run(WAKE, { names, mosts: waking.map(({ most }) => most), now })
  else await tx.run(WAKE_OF, { names, now, only })
}

/** Rows by their subscription, in the order in which they are given. */
export function bySubscription(rows: readonly ReadyRow[]): ReadonlyMap<string, readonly ReadyRow[]> {
  const grouped = new Map<string, ReadyRow[]>()
  for (const row of rows) {
    const own = grouped.get(row.subscription)
    if (own === undefined) grouped.set(row.subscription, [row])
    else own.push(row)
  }
  return grouped
}

/** Attempts whose claims ran out ended by now, of endpoints that have a rate: they are counted once. */
export function countRunOut(sights: readonly SightRow[], held: readonly HeldEndpoint[], now: number): readonly Write[] {
  const paced = new Set(held.filter((each) => each.paced_ms !== null).map((each) => each.subscription))
  const ranOut = sights.flatMap(({ ranOut: amount, subscription }) =>
    amount > 0 && paced.has(subscription) ? [{ subscription, amount }] : [],
  )
  if (ranOut.length === 0) return []
  const names = ranOut.map(({ subscription }) => subscription)
  return [{ query: RUN_OUT, values: { names, now } }, ...countAtOnce(ranOut, now)]
}

const WAITS = `
  FROM deliveries
  WHERE subscription = :subscription AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0`
const PUT_OFF = `${WAITS} AND resumes_at IS NULL AND least(round, 1) = 1`
const FORWARDED = `${WAITS} AND resumes_at IS NOT NULL AND not_before`

const ANY = new Query(`SELECT 1 ${PUT_OFF} LIMIT 1`)
const ANY_FORWARDED = new Query<{ at: number }>(
  `SELECT not_before AS at ${FORWARDED} IS NOT NULL ORDER BY not_before LIMIT 1`,
)
// Some at a time: the next claim finds the others.
const FORWARD_AGAIN = new Query(`
  UPDATE deliveries SET resumes_at = NULL
  WHERE ref IN (SELECT ref ${FORWARDED} <= :now ORDER BY not_before LIMIT ${MOST_LOOKED_THROUGH})`)
const BRING_FORWARD = new Query(`
  UPDATE deliveries SET resumes_at = wake_at, wake_at = NULL,
    next_attempt_at = least(next_attempt_at, :now - (SELECT ahead FROM steady_time))
  WHERE ref IN (
    SELECT ref FROM (
      SELECT ref, event, not_before ${PUT_OFF} ORDER BY event LIMIT ${MOST_LOOKED_THROUGH}
    ) AS oldest
    WHERE coalesce(not_before <= :now, true) AND event < :before ORDER BY event LIMIT :most
  )`)
const RECOVERED = new Query('UPDATE endpoints SET recovering = 0 WHERE subscription = :subscription')

/**
 * Makes rows of a recovering endpoint due, as `recoveryOf` has it; returns how many. The endpoint is held, because other workers send at
 * the same time.
 */
export async function bringForward(tx: Transaction, { subscription, ...forwarding }: ForwardingAt): Promise<number> {
  const { now } = forwarding
  const againAt = (await tx.one(ANY_FORWARDED, { subscription }))?.at ?? null
  if (comesAgain(againAt, now)) await tx.run(FORWARD_AGAIN, { subscription, now })
  const recovery = recoveryOf({ againAt, hasOthers: (await tx.one(ANY, { subscription })) !== undefined })
  if (recovery === 'recovered') await tx.run(RECOVERED, { subscription })
  if (recovery !== 'bring forward') return 0
  return await tx.run(BRING_FORWARD, { subscription, ...forwarding })
}
