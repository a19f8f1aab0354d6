import { Client } from 'pg'

interface TableRow {
  readonly name: string
  readonly heap: string
  readonly indexes: string
  readonly live: string
  readonly dead: string
  readonly vacuums: string
  readonly analyses: string
  readonly updates: string
  readonly hot: string
}

const SIZES = `
  SELECT relname AS name, pg_relation_size(relid) AS heap, pg_indexes_size(relid) AS indexes, n_live_tup AS live,
    n_dead_tup AS dead, autovacuum_count AS vacuums, autoanalyze_count AS analyses, n_tup_upd AS updates, n_tup_hot_upd AS hot
  FROM pg_stat_user_tables WHERE pg_total_relation_size(relid) > 1000000 OR n_tup_upd > 10000
  ORDER BY pg_total_relation_size(relid) DESC`
const INDEXES = `
  SELECT indexrelname AS name, pg_relation_size(indexrelid) AS bytes FROM pg_stat_user_indexes WHERE relname = 'deliveries'
  ORDER BY 2 DESC`

/** What the larger tables of a database take, and what vacuum has done for them. */
export async function describeTables(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<TableRow>(SIZES)
    const { rows: indexes } = await client.query<{ name: string; bytes: string }>(INDEXES)
    const own = indexes.map(({ bytes, name }) => `${name} ${megabytes(bytes)}`).join(', ')
    return [...tables.map(tableLine), `  indexes of deliveries: ${own}`]
  } finally {
    await client.end()
  }
}

function tableLine(table: TableRow): string {
  const { analyses, dead, heap, hot, indexes, live, name, updates, vacuums } = table
  const inPlace =
    Number(updates) === 0
      ? ''
      : `, ${updates} updates, ${((100 * Number(hot)) / Number(updates)).toFixed(0)} % in place`
  return (
    `  ${name}: ${megabytes(heap)} and ${megabytes(indexes)} of indexes, ${live} rows, ${dead} dead${inPlace}, ` +
    `${vacuums} vacuums, ${analyses} analyses`
  )
}

function megabytes(bytes: string): string {
  return `${(Number(bytes) / 1_000_000).toFixed(1)} MB`
}
