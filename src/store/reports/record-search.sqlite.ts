import { markOf, type GramChoice } from '../../model/search-text.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { atHand } from './lookup.ts'
import { type IndexAsked, MOST_MARKS } from './record-search.ts'

const INDEXED = new Query<{ ref: number }>(`
  SELECT rowid AS ref FROM search_index WHERE search_index MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`)

/** Asks the index in SQLite's own language, which has its trigrams as words. */
export function askIndex(db: Connection, { below, most, ...asked }: IndexAsked) {
  return atHand(db.all(INDEXED, expressionOf(asked), below, most).map(({ ref }) => ref))
}

/** What is typed stands between quotes, so that nothing of it is an operator. */
function expressionOf({ accounts = [], level, resource }: Omit<IndexAsked, 'below' | 'most'>): string {
  const ofAccounts = accounts.length > MOST_MARKS ? [] : accounts.map((account) => [markOf('account', account)])
  const choices: readonly GramChoice[] = [
    level.within,
    ...(ofAccounts.length === 0 ? [] : [ofAccounts]),
    ...(resource === undefined ? [] : [[[markOf('resource', resource)]]]),
  ]
  const wanted = choices.map(eitherOf).join(' AND ')
  return level.without === null ? wanted : `(${wanted}) NOT ${allOf(level.without)}`
}

function eitherOf(choice: GramChoice): string {
  return `(${choice.map(allOf).join(' OR ')})`
}

function allOf(grams: readonly string[]): string {
  return `(${grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')})`
}
