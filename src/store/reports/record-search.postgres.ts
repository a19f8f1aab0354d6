import { markOf } from '../../model/search-text.ts'
import { gramNumbers } from '../search/search-index.postgres.ts'
import { Query } from '../server/query.ts'
import type { ReportSource } from './dialect.postgres.ts'
import { answerOf, type Lookup } from './lookup.ts'
import { type IndexAsked, MOST_MARKS } from './record-search.ts'

/** How many records stand side by side in the index, as a power of two. The index of the schema has these numbers, too. */
const PART_BITS = 12
const FIRST_PART = 4_194_304
const partMark = (part: string): string => `((${part}) + ${FIRST_PART})::integer`
/** What the index knows of a record: its parts of texts, and beside them which part of all records it is in. */
const INDEXED = `array_append(grams, ${partMark(`record >> ${PART_BITS}`)})`

/** At so many places so many records are looked at, to see whether many match: from `MANY` of them on. */
const PLACES = 16
const AT_PLACE = 32
const MANY = 8

/**
 * Asks the index of arrays: each condition is there only where it is asked for. PostgreSQL cannot tell what many records have from
 * what few have. So some are looked at: what few have is found as a whole, and of what many have one part of the records after the
 * other is asked for, the newest first, until that is enough.
 */
export function askIndex({ tx }: ReportSource, asked: IndexAsked): Lookup<readonly number[]> {
  return answerOf(ask(tx, asked))
}

/** An inverted index is read by gathering what it finds, which transactions that read do not do otherwise. */
const gathering = (isOn: boolean) => new Query(`SELECT set_config('enable_bitmapscan', '${isOn ? 'on' : 'off'}', true)`)
const [GATHERED, IN_ORDER] = [gathering(true), gathering(false)]

async function ask(tx: ReportSource['tx'], { below, most, ...asked }: IndexAsked): Promise<readonly number[]> {
  const { matching, values } = conditionOf(asked)
  // An order that no index has: the rows are found by their parts.
  const newest = 'ORDER BY record + 0 DESC LIMIT CAST(:most AS integer)'
  const found = new Query<{ ref: number }>(`
    WITH RECURSIVE ends AS MATERIALIZED (
      SELECT min(record) AS first, max(record) AS last FROM search_index
    ), probe AS MATERIALIZED (
      SELECT count(*) AS hits FROM ends CROSS JOIN generate_series(0, ${PLACES - 1}) AS nth CROSS JOIN LATERAL (
        SELECT grams FROM search_index
        WHERE record >= ends.first + nth * ((ends.last - ends.first) / ${PLACES}) ORDER BY record LIMIT ${AT_PLACE}
      ) AS example
      WHERE ${matching('grams')}
    ), walked(part, amount, refs) AS (
      SELECT (least(ends.last, CAST(:below AS bigint) - 1) >> ${PART_BITS}) + 1, 0::bigint, NULL::bigint[] FROM ends, probe WHERE hits >= ${MANY}
      UNION ALL
      SELECT part - 1, amount + found.more, found.refs
      FROM walked CROSS JOIN LATERAL (
        SELECT count(*) AS more, array_agg(record) AS refs FROM (
          SELECT record FROM search_index WHERE ${matching(INDEXED, partMark('walked.part - 1'))} AND record < CAST(:below AS bigint) ${newest}
        ) AS of_part
      ) AS found
      WHERE part > (SELECT first >> ${PART_BITS} FROM ends) AND amount < CAST(:most AS integer)
    )
    SELECT ref FROM walked CROSS JOIN LATERAL unnest(refs) AS ref
    UNION ALL
    SELECT record FROM (
      SELECT record FROM search_index WHERE (SELECT hits FROM probe) < ${MANY} AND ${matching(INDEXED)} AND record < CAST(:below AS bigint) ${newest}
    ) AS few
    ORDER BY ref DESC LIMIT CAST(:most AS integer)`)
  const [, rows] = await Promise.all([tx.all(GATHERED), tx.all(found, { ...values, below, most }), tx.all(IN_ORDER)])
  return rows.map(({ ref }) => ref)
}

/** The condition that parts of texts are asked for, in one part of all records where that is named, with its values. */
function conditionOf({ accounts = [], level, resource }: Omit<IndexAsked, 'below' | 'most'>) {
  const { within, without } = level
  const isNarrowed = accounts.length > 0 && accounts.length <= MOST_MARKS
  const marks = resource === undefined ? [] : [markOf('resource', resource)]
  const lists = within.map((grams, nth) => [`grams_${nth}`, gramNumbers([...grams, ...marks])] as const)
  const values = {
    ...Object.fromEntries(lists),
    ...(without !== null && { without: gramNumbers(without) }),
    ...(isNarrowed && { accounts: gramNumbers(accounts.map((account) => markOf('account', account))) }),
  }
  const matching = (grams: string, part?: string): string => {
    const all = (name: string) =>
      part === undefined ? `:${name}::integer[]` : `array_append(:${name}::integer[], ${part})`
    return [
      `(${lists.map(([name]) => `${grams} @> ${all(name)}`).join(' OR ')})`,
      ...(without === null ? [] : ['NOT grams @> :without::integer[]']),
      ...(isNarrowed ? [`${grams} && :accounts::integer[]`] : []),
    ].join(' AND ')
  }
  return { matching, values }
}
