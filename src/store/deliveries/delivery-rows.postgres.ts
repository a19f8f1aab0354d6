import { TABLES } from '../tables/tables.ts'
import { endedBefore } from '../../ledger/feeds.ts'
import { keepsPlace, type Turn, turnOfNew } from '../../ledger/follow.ts'
import { type AskedRow, RETRIED, retry } from '../../ledger/settle.ts'
import { HOLD } from '../endpoints/endpoint-record.postgres.ts'
import { type LaneOfRow, passTurns } from './lane-rows.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { settingsSql } from './set-columns.ts'

const MOVED = TABLES.deliveries.only('ref turn state next_attempt_at')

interface Row extends AskedRow, LaneOfRow {
  readonly ref: number
  readonly turn: Turn
  readonly ordered: number
  readonly position: number | null
  readonly ended_position: number
}

const ASKED = `
  SELECT delivery.ref, subscription, position, ended_position, lane, turn, delivery.state, test, expired_at, configured, enabled, disabled_at, ordered
  FROM deliveries AS delivery JOIN endpoints USING (subscription) JOIN events ON events.ref = delivery.event`
const BY_REFS = new Query<Row>(`${ASKED} WHERE delivery.ref = ANY(:refs::bigint[])`)
const BY_IDS = new Query<Row>(`${ASKED} WHERE delivery.id = ANY(:ids::text[])`)
const RETRY = new Query(`
  UPDATE deliveries AS delivery SET ${settingsSql(RETRIED)}, state = row.state, next_attempt_at = row.next_attempt_at,
    turn = row.turn
  FROM ${MOVED.unnested()} AS row (${MOVED.names}) WHERE delivery.ref = row.ref`)

interface Asked {
  readonly at: number
  readonly delivered: boolean
}

/**
 * Makes rows due at once, asked for at `at`, as `retry` has it; their endpoints are held. Returns their states from now on; rows that
 * are left alone are none of them.
 */
export async function retryRows(
  tx: Transaction,
  refs: readonly number[],
  asked: Asked,
): Promise<ReadonlyMap<number, 'pending' | 'held'>> {
  return refs.length === 0 ? new Map() : await retryAll(tx, await tx.all(BY_REFS, { refs }), asked)
}

/** `AdminStore.retry`. All rows at once, with the turns of their lanes, because each statement is a round trip. */
export async function retryDeliveries(tx: Transaction, ids: readonly string[], asked: Asked): Promise<number> {
  await tx.all(HOLD, { ids })
  const states = await retryAll(tx, await tx.all(BY_IDS, { ids }), asked)
  return [...states.values()].filter((state) => state === 'pending').length
}

async function retryAll(
  tx: Transaction,
  rows: readonly Row[],
  asked: Asked,
): Promise<ReadonlyMap<number, 'pending' | 'held'>> {
  const moved = rows.flatMap((row) => {
    const retried = retry(row, asked)
    return retried === null ? [] : [{ ...row, ...retried, turn: turnAfter(row) }]
  })
  await tx.run(RETRY, MOVED.listed(moved))
  await lower(tx, moved)
  for (const { query, values } of passTurns(moved.filter(({ turn }) => turn !== null))) await tx.run(query, values)
  return new Map(moved.map(({ ref, state }) => [ref, state]))
}

const LOWER = new Query(`
  UPDATE endpoints SET ended_position = row.ended
  FROM unnest(:names::text[], :ended::bigint[]) AS row (name, ended) WHERE subscription = row.name`)

/** Not every row of their endpoints, which are held, has ended any more as far as before. */
async function lower(tx: Transaction, opened: readonly Row[]): Promise<void> {
  const lowered = new Map<string, number>()
  for (const { ended_position: ended, position, subscription } of opened) {
    const to = endedBefore(lowered.get(subscription) ?? ended, position)
    if (to < ended) lowered.set(subscription, to)
  }
  if (lowered.size > 0) await tx.run(LOWER, { names: [...lowered.keys()], ended: [...lowered.values()] })
}

/** The turn of a row that was asked for: one that had ended lines up again. */
function turnAfter({ ordered, state, turn }: Row): Turn {
  return turn !== null || keepsPlace({ state, isClaimed: false }) ? turn : turnOfNew(ordered)
}
