import { NO_ACCOUNT } from '../../model/account.ts'
import { first, type Dialect } from './dialect.ts'
import type { Lookup } from './lookup.ts'

/** Ids that are looked at where an account is asked for, too: they say nothing of it. */
const MOST_LOOKED_AT = 2_000

/** Follows every text that a prefix begins. */
const LAST_CHARACTER = '\u{10FFFF}'

interface Named {
  readonly id: string
  readonly account: string | null
}

interface Naming {
  readonly account?: string
  readonly limit: number
}

/** `LogQueryStore.eventsNamed`, inside one read transaction. */
export function eventsNamed<Source>(
  dialect: Dialect<Source>,
): (source: Source, name: string, naming: Naming) => Lookup<readonly string[]> {
  const { byId, byPrefix, bySequence } = statements(dialect)
  return function* (source, name, { account, limit }) {
    const asked = { account: account ?? null, limit }
    const sequence = sequenceNamed(name)
    if (sequence !== null) return ids(yield* bySequence(source, { ...asked, sequence }))
    if (name === '') return []
    const exact = yield* first(byId(source, { id: name }))
    if (exact !== undefined) {
      return account === undefined || (exact.account ?? NO_ACCOUNT) === account ? [exact.id] : []
    }
    return ids(yield* byPrefix(source, { ...asked, from: name, to: afterPrefix(name) }))
  }
}

function statements<Source>({ all, only }: Dialect<Source>) {
  // Each store has an index by this text; SQLite's has no type, and is used only where it is compared with what has none (`+`).
  const ofAccount = only({
    sqlite: `ifnull(events.account, '') = +accounts.account`,
    postgres: `coalesce(events.account, '') = accounts.account`,
  })
  return {
    byId: all<Named>('SELECT id, account FROM events WHERE id = :id'),
    byPrefix: all<Pick<Named, 'id'>>(`
      SELECT id FROM (
        SELECT id, account FROM events WHERE id >= :from AND id < :to ORDER BY id LIMIT ${MOST_LOOKED_AT}
      ) AS looked WHERE CAST(:account AS text) IS NULL OR account = :account ORDER BY id LIMIT CAST(:limit AS integer)`),
    // The limit of all accounts keeps both planners from looking for each event twice.
    bySequence: all<Pick<Named, 'id'>>(`
      SELECT id FROM (
        SELECT account, (
          SELECT id FROM events WHERE ${ofAccount} AND sequence = :sequence LIMIT 1
        ) AS id
        FROM accounts WHERE CAST(:account AS text) IS NULL OR account = :account ORDER BY account
        LIMIT ${Number.MAX_SAFE_INTEGER}
      ) AS named WHERE id IS NOT NULL ORDER BY account LIMIT CAST(:limit AS integer)`),
  }
}

function ids(rows: readonly Pick<Named, 'id'>[]): readonly string[] {
  return rows.map(({ id }) => id)
}

/** The sequence that a name stands for (`#12`); null: it is none. */
function sequenceNamed(name: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** What comes behind all texts that begin with a prefix. */
function afterPrefix(prefix: string): string {
  return `${prefix}${LAST_CHARACTER}`
}
