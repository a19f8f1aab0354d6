import { type AskedRow, RETRIED, retry } from '../../ledger/retry.ts'
import { HOLD } from '../endpoints/endpoint-record.postgres.ts'
import { listed, namesOf, unnested } from '../server/column-lists.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { assigned } from './set-columns.ts'

const MOVED = { ref: 'bigint', state: 'text', next_attempt_at: 'bigint' } as const

const ASKED = `
  SELECT delivery.ref, delivery.state, test, expired_at, configured, enabled, disabled_at
  FROM deliveries AS delivery JOIN endpoints USING (subscription) JOIN events ON events.ref = delivery.event`
const BY_REFS = new Query<AskedRow & { ref: number }>(`${ASKED} WHERE delivery.ref = ANY(:refs::bigint[])`)
const BY_IDS = new Query<AskedRow & { ref: number }>(`${ASKED} WHERE delivery.id = ANY(:ids::text[])`)
const RETRY = new Query(`
  UPDATE deliveries AS delivery SET ${assigned(RETRIED)}, state = row.state, next_attempt_at = row.next_attempt_at
  FROM ${unnested(MOVED)} AS row (${namesOf(MOVED)}) WHERE delivery.ref = row.ref`)

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

/** `AdminStore.retry`. */
export async function retryDeliveries(tx: Transaction, ids: readonly string[], asked: Asked): Promise<number> {
  await tx.all(HOLD, { ids })
  const states = await retryAll(tx, await tx.all(BY_IDS, { ids }), asked)
  return [...states.values()].filter((state) => state === 'pending').length
}

async function retryAll(
  tx: Transaction,
  rows: readonly (AskedRow & { readonly ref: number })[],
  asked: Asked,
): Promise<ReadonlyMap<number, 'pending' | 'held'>> {
  const moved = rows.flatMap((row) => {
    const retried = retry(row, asked)
    return retried === null ? [] : [{ ...retried, ref: row.ref }]
  })
  await tx.run(RETRY, listed(MOVED, moved))
  return new Map(moved.map(({ ref, state }) => [ref, state]))
}
