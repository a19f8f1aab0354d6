import { markOf } from '../../model/search-text.ts'
import { gramNumbers } from '../search/search-index.postgres.ts'
import { Query } from '../server/query.ts'
import type { ReportSource } from './dialect.postgres.ts'
import { answerOf } from './lookup.ts'
import { type IndexAsked, MOST_MARKS } from './record-search.ts'

/** Asks the index of arrays: each condition is there only where it is asked for, because a plan is made for what is there. */
export function askIndex({ tx }: ReportSource, { accounts = [], below, level, most, resource }: IndexAsked) {
  const { within, without } = level
  const isNarrowed = accounts.length > 0 && accounts.length <= MOST_MARKS
  const marks = resource === undefined ? [] : [markOf('resource', resource)]
  const lists = within.map((grams, nth) => [`grams_${nth}`, gramNumbers([...grams, ...marks])] as const)
  const conditions = [
    `(${lists.map(([name]) => `grams @> :${name}::integer[]`).join(' OR ')})`,
    ...(without === null ? [] : ['NOT grams @> :without::integer[]']),
    ...(isNarrowed ? ['grams && :accounts::integer[]'] : []),
  ]
  const query = new Query<{ ref: number }>(`
    SELECT record AS ref FROM search_index WHERE ${conditions.join(' AND ')} AND record < :below
    ORDER BY record DESC LIMIT CAST(:most AS integer)`)
  const values = {
    ...Object.fromEntries(lists),
    ...(without !== null && { without: gramNumbers(without) }),
    ...(isNarrowed && { accounts: gramNumbers(accounts.map((account) => markOf('account', account))) }),
  }
  return answerOf(tx.all(query, { ...values, below, most }).then((rows) => rows.map(({ ref }) => ref)))
}
