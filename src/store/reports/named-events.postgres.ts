import { NO_ACCOUNT } from '../../model/account.ts'
import { afterPrefix, sequenceNamed } from './event-names.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

/** Ids that are looked at where an account is asked for, too: they say nothing of it. */
const MOST_LOOKED_AT = 2_000

interface Named {
  readonly id: string
  readonly account: string | null
}

const BY_ID = new Query<Named>('SELECT id, account FROM events WHERE id = :id')
const BY_PREFIX = new Query<Pick<Named, 'id'>>(`
  SELECT id FROM (
    SELECT id, account FROM events WHERE id >= :from AND id < :to ORDER BY id LIMIT ${MOST_LOOKED_AT}
  ) AS looked WHERE :account::text IS NULL OR account = :account ORDER BY id LIMIT :limit`)
const BY_SEQUENCE = new Query<Pick<Named, 'id'>>(`
  SELECT event.id FROM accounts CROSS JOIN LATERAL (
    SELECT id FROM events WHERE coalesce(events.account, '') = accounts.account AND sequence = :sequence LIMIT 1
  ) AS event
  WHERE :account::text IS NULL OR accounts.account = :account ORDER BY accounts.account LIMIT :limit`)

interface Naming {
  readonly account?: string
  readonly limit: number
}

/** `LogQueryStore.eventsNamed`, inside one read transaction. */
export async function eventsNamed(
  tx: Transaction,
  name: string,
  { account, limit }: Naming,
): Promise<readonly string[]> {
  const asked = { account: account ?? null, limit }
  const sequence = sequenceNamed(name)
  if (sequence !== null) return ids(await tx.all(BY_SEQUENCE, { ...asked, sequence }))
  if (name === '') return []
  const exact = await tx.one(BY_ID, { id: name })
  if (exact !== undefined) {
    return account === undefined || (exact.account ?? NO_ACCOUNT) === account ? [exact.id] : []
  }
  return ids(await tx.all(BY_PREFIX, { ...asked, from: name, to: afterPrefix(name) }))
}

function ids(rows: readonly Pick<Named, 'id'>[]): readonly string[] {
  return rows.map(({ id }) => id)
}
