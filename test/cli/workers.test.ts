import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backupCommand } from '../../src/cli/backup.ts'
import { restoreCommand } from '../../src/cli/restore.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import type { SharedStore } from '../../src/store/ports/worker-port.ts'
import { scratchFolder } from '../config/scratch.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { CONFIGURATION } from './ledger.ts'
import { runCommand } from './run-command.ts'

const TTL_MS = 600_000

let url: string
let store: SharedStore
let cwd: string

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  store = await openPostgresStore({ url, pool: 2 })
  cwd = scratchFolder({ 'shipbell.yaml': `${CONFIGURATION}storage: { url: '${url}' }\n` })
})

afterEach(async () => {
  await store[Symbol.asyncDispose]()
  await (await postgresDatabases()).giveBack(url)
})

async function join(pid: number, { accounts, config = 'one' }: { accounts: readonly string[]; config?: string }) {
  const id = `${pid}-of-a-test`
  const facts = { host: 'here', pid, command: 'run', version: '1.2.3', port: null }
  await store.workers.join({ id, ...facts, config, loadedAt: pid, settings: {} }, TTL_MS)
  const units = accounts.map((account) => ({ unit: `key:${account}`, accounts: [account] }))
  await store.workers.take(id, { units, most: units.length })
  return id
}

describe('commands on a store that several workers share', () => {
  it('say who runs, which accounts each polls, and whose configuration is not in force', async () => {
    const many = Array.from({ length: 14 }, (_, nth) => `c${nth + 10}`)
    const [older, newer] = [await join(71, { accounts: [] }), await join(72, { accounts: many, config: 'two' })]
    const { exitCode, stdout } = await runCommand(statusCommand, [], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^2 workers run\. The first: process 71 on here since /)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The worker 71-of-a- (process 71 on here) reads nothing: it has another configuration than the newest. Give all',
    )
    expect(stdout).toMatch(new RegExp(`^${older.slice(0, 8)} +here +71 +1\\.2\\.3 .* none: a newer configuration`, 'm'))
    expect(stdout).toMatch(new RegExp(`^${newer.slice(0, 8)} .* c10, .*, c21 and 2 more$`, 'm'))
    const { workers } = JSON.parse((await runCommand(statusCommand, ['--json'], { cwd })).stdout)
    expect(workers).toEqual([
      { id: older, version: '1.2.3', since: expect.any(String), accounts: [], config_differs: true },
      { id: newer, version: '1.2.3', since: expect.any(String), accounts: many, config_differs: false },
    ])
  })

  it('report before the first worker of a database that went back writes there', async () => {
    await using db = new Database({ url, pool: 1 })
    await db.write(async (tx) => await tx.run(new Query(`UPDATE series_life SET life = 'of before'`)))
    const { exitCode, stderr } = await runCommand(statusCommand, [], { cwd })
    expect([exitCode, stderr]).toEqual([0, ''])
  })

  it('keep no connection, and so end, where the database may only be read', async () => {
    const client = new Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
    await client.connect()
    const { rows } = await client.query<{ now: string }>('SELECT clock_timestamp()::text AS now')
    const begun = 'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_start > $1'
    const connections = async (): Promise<unknown> => (await client.query(begun, [rows[0]?.now])).rows
    const name = client.escapeIdentifier(client.database ?? '')
    try {
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      const { exitCode, stderr } = await runCommand(subscriptionsCommand, ['disable', 'erp'], { cwd })
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('(it may only be read)')])
      await vi.waitFor(async () => expect(await connections()).toEqual([{ count: '0' }]), { timeout: 10_000 })
    } finally {
      await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
      await client.end()
    }
  })

  it('leave backups to the tools of the database', async () => {
    for (const command of [backupCommand, restoreCommand]) {
      const { exitCode, stderr } = await runCommand(command, ['copy.db'], { cwd })
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^The store is in the database .*`pg_dump`/)])
    }
  })
})
