import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import type { SendingEndpoint, SendingRow } from '../../src/ledger/settle.ts'
import { COUNTED, type CountedRow, deferralsOf, talliesOf } from './counted-deliveries.ts'
import { CLAIMED, type LaneRow, laneRows, misplaced } from './lane-rows.ts'
import { VALUE_TYPES } from '../../src/store/server/query.ts'
import { TABLES } from '../../src/store/tables/tables.ts'

/** What a store holds of its deliveries, without what differs while claims are open: a file has those in memory. */
const ROWS = {
  deliveries: `SELECT id, subscription, state, next_attempt_at, wake_at, finished_at, attempts, round, last_status, last_error, not_before,
    resumes_at, test, position FROM deliveries ORDER BY id, subscription`,
  endpoints: `SELECT ${TABLES.endpoints.without('series').names} FROM endpoints ORDER BY subscription`,
  attempts: `SELECT deliveries.id, attempts.at, duration_ms, status, error, answer
    FROM attempts JOIN deliveries ON deliveries.ref = attempts.delivery ORDER BY attempts.at, deliveries.id`,
  tallies: 'SELECT subscription, state, amount FROM tallies WHERE amount <> 0 ORDER BY subscription, state',
  deferrals: 'SELECT subscription, wake_at, amount FROM deferrals ORDER BY subscription, wake_at',
  time: 'SELECT latest, ahead FROM steady_time',
} as const

export interface DeliveringRows {
  readonly deliveries: readonly (SendingRow & { readonly id: string; readonly subscription: string })[]
  readonly endpoints: readonly (SendingEndpoint & { readonly subscription: string })[]
  readonly others: Readonly<Record<string, readonly unknown[]>>
}

/** Reads both stores, a file's and a database's. */
export async function deliveringRows(path: string, url: string) {
  const file = new Sqlite(path, { readonly: true })
  const client = new Client({ connectionString: url, types: VALUE_TYPES })
  await client.connect()
  return {
    both: async (): Promise<readonly DeliveringRows[]> => [
      await rowsOf(async (sql) => file.prepare<[], never>(sql).all()),
      await rowsOf(async (sql) => (await client.query<never>(sql)).rows),
    ],
    /** Counts of both that are not what their rows say. */
    miscounted: async () => [
      ...(await miscounted(async (sql) => file.prepare<[], never>(sql).all())),
      ...(await miscounted(async (sql) => (await client.query<never>(sql)).rows)),
    ],
    /** Rows with another turn than the rule gives them, in the database at any time, in the file while nothing is under way. */
    misplaced: async () => misplaced((await client.query<LaneRow>(laneRows(CLAIMED))).rows),
    misplacedInFile: () => misplaced(file.prepare<[], LaneRow>(laneRows('0')).all()),
    close: async () => {
      file.close()
      await client.end()
    },
  }
}

async function miscounted(ask: (sql: string) => Promise<readonly never[]>): Promise<readonly unknown[]> {
  const rows: readonly CountedRow[] = await ask(COUNTED)
  const [tallies, deferrals] = [await ask(ROWS.tallies), await ask(ROWS.deferrals)]
  const counted = [
    [tallies, talliesOf(rows)],
    [deferrals, deferralsOf(rows)],
  ]
  return counted.filter((pair) => !isDeepStrictEqual(JSON.parse(JSON.stringify(pair[0])), pair[1]))
}

async function rowsOf(ask: (sql: string) => Promise<readonly never[]>): Promise<DeliveringRows> {
  const { deliveries, endpoints, ...others } = ROWS
  const found: [string, readonly unknown[]][] = []
  for (const [name, sql] of Object.entries(others)) found.push([name, await ask(sql)])
  return { deliveries: await ask(deliveries), endpoints: await ask(endpoints), others: Object.fromEntries(found) }
}
