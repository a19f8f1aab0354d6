import { NO_ACCOUNT } from '../../model/account.ts'
import { afterPrefix, sequenceNamed } from './event-names.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

/** Ids that are looked at where an account is asked for, too: they say nothing of it. */
const MOST_LOOKED_AT = 2_000
const BY_ID = new Query<Named>('SELECT id, account FROM events WHERE id = ?')
const BY_PREFIX = new Query<Named>(`
  SELECT id FROM (
    SELECT id, account FROM events WHERE id >= :from AND id < :to ORDER BY id LIMIT ${MOST_LOOKED_AT}
  ) WHERE :account IS NULL OR account = :account LIMIT CAST(:limit AS INTEGER)`)
const ACCOUNTS = new Query<{ account: string }>('SELECT account FROM accounts ORDER BY account')
const BY_SEQUENCE = new Query<Named>(`SELECT id FROM events WHERE ifnull(account, '') = ? AND sequence = ?`)

interface Named {
  readonly id: string
  readonly account: string | null
}

interface Naming {
  readonly account?: string
  readonly limit: number
}

/** `LogQueryStore.eventsNamed`, inside one read transaction. */
export function eventsNamed(db: Connection, name: string, { account, limit }: Naming): readonly string[] {
  const sequence = sequenceNamed(name)
  if (sequence !== null) {
    const accounts = account === undefined ? db.all(ACCOUNTS).map((row) => row.account) : [account]
    return accounts.flatMap((of) => ids(db.all(BY_SEQUENCE, of, sequence))).slice(0, limit)
  }
  if (name === '') return []
  const exact = db.one(BY_ID, name)
  if (exact !== undefined) {
    return account === undefined || (exact.account ?? NO_ACCOUNT) === account ? [exact.id] : []
  }
  return ids(db.all(BY_PREFIX, { from: name, to: afterPrefix(name), account: account ?? null, limit }))
}

function ids(rows: readonly Pick<Named, 'id'>[]): readonly string[] {
  return rows.map(({ id }) => id)
}
