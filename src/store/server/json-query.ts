import type { Transaction } from './database.ts'
import { type BoundValues, Query } from './query.ts'

/**
 * A statement whose rows come as one value, in the order of its SQL: a connection takes longer to read many of them column by column.
 * Its plan is kept. Asked by `lookAt`.
 */
export class JsonQuery<Row> extends Query<{ readonly rows: readonly Row[] }> {
  constructor(sql: string) {
    super(`SELECT coalesce(json_agg(each), '[]') AS rows FROM (${sql}) AS each`, { isFrequent: true })
  }
}

export async function lookAt<Row>(
  tx: Pick<Transaction, 'one'>,
  query: JsonQuery<Row>,
  values: BoundValues,
): Promise<readonly Row[]> {
  return (await tx.one(query, values))?.rows ?? []
}
