import { markOf } from '../../model/search-text.ts'
import { gramNumbers } from '../search/search-index.postgres.ts'
import { Query } from '../server/query.ts'
import type { ReportSource } from './dialect.postgres.ts'
import { answerOf, type Lookup } from './lookup.ts'
import { type IndexAsked, MOST_MARKS } from './record-search.ts'

/** How many of the newest records are looked at one by one: what many have is found among them. */
const WALKED = 500

/**
 * Asks the index of arrays: each condition is there only where it is asked for. PostgreSQL cannot tell what many records have from
 * what few have, so the newest records are walked first; where that is not enough, the index finds all, which then are few.
 */
export function askIndex({ tx }: ReportSource, asked: IndexAsked): Lookup<readonly number[]> {
  return answerOf(ask(tx, asked))
}

async function ask(tx: ReportSource['tx'], { below, most, ...asked }: IndexAsked): Promise<readonly number[]> {
  const { condition, values } = conditionOf(asked)
  const walked = new Query<{ ref: number }>(`
    SELECT record AS ref FROM (
      SELECT record, grams FROM search_index WHERE record < :below ORDER BY record DESC LIMIT ${WALKED}
    ) AS newest WHERE ${condition} ORDER BY record DESC LIMIT CAST(:most AS integer)`)
  // An order that no index has: the rows are found by their parts.
  const found = new Query<{ ref: number }>(`
    SELECT record AS ref FROM search_index WHERE ${condition} AND record < :below
    ORDER BY record + 0 DESC LIMIT CAST(:most AS integer)`)
  const newest = await tx.all(walked, { ...values, below, most })
  const rows = newest.length === most ? newest : await tx.all(found, { ...values, below, most })
  return rows.map(({ ref }) => ref)
}

function conditionOf({ accounts = [], level, resource }: Omit<IndexAsked, 'below' | 'most'>) {
  const { within, without } = level
  const isNarrowed = accounts.length > 0 && accounts.length <= MOST_MARKS
  const marks = resource === undefined ? [] : [markOf('resource', resource)]
  const lists = within.map((grams, nth) => [`grams_${nth}`, gramNumbers([...grams, ...marks])] as const)
  const conditions = [
    `(${lists.map(([name]) => `grams @> :${name}::integer[]`).join(' OR ')})`,
    ...(without === null ? [] : ['NOT grams @> :without::integer[]']),
    ...(isNarrowed ? ['grams && :accounts::integer[]'] : []),
  ]
  const values = {
    ...Object.fromEntries(lists),
    ...(without !== null && { without: gramNumbers(without) }),
    ...(isNarrowed && { accounts: gramNumbers(accounts.map((account) => markOf('account', account))) }),
  }
  return { condition: conditions.join(' AND '), values }
}
