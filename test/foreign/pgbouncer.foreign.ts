import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Yard } from '../pipeline/yard.ts'
import { killed, stopped, WAIT } from '../pipeline/workplace.ts'
import { postgresDatabases, takeDatabasesOf } from '../support/postgres-databases.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { type ForeignServer, installed, unless } from './foreign-program.ts'
import { startPgBouncer } from './start-pgbouncer.ts'
import { describeStoreSuites } from './store-suites.ts'

const PGBOUNCER = installed('pgbouncer')
/** To each database: fewer than a single worker may ask for. */
const CONNECTIONS = 4

describe.skipIf(PGBOUNCER === null)(
  `through PgBouncer in transaction mode${unless(PGBOUNCER, 'apt-get install pgbouncer')}`,
  () => {
    let server: PostgresServer
    let pooler: ForeignServer

    beforeAll(async () => {
      server = await PostgresServer.start()
      pooler = await startPgBouncer(PGBOUNCER ?? '', server, CONNECTIONS)
      await takeDatabasesOf({ root: server.url(), pooler: pooler.port })
    })

    afterAll(async () => {
      await pooler[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    })

    describeStoreSuites('through a pooler')

    test('two workers share the work, and one goes on when the other and the pooler are killed', async () => {
      await using yard = await Yard.open({ accounts: ['a', 'b'], shipments: 5, every: '100ms' })
      const work = yard.workplace(await (await postgresDatabases()).take())
      const complete = async (): Promise<void> => {
        for (const id of yard.ids) yard.change(id)
        await vi.waitFor(() => expect(yard.missing).toEqual([]), { ...WAIT, timeout: 45_000 })
      }
      const [first, second] = [work.start('run'), work.start('run')]
      await vi.waitFor(() => expect(yard.baselined).toBe(2), WAIT)
      for (const worker of [first, second]) await worker.prints(/worker\.joined/)
      await complete()
      expect(JSON.parse((await work.run('status', '--json')).stdout).workers).toHaveLength(2)
      await pooler.kill()
      await pooler.start()
      await complete()
      await killed(first)
      await complete()
      await stopped(second)
      expect(yard.faults).toEqual([])
    })
  },
)
