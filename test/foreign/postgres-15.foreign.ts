import { afterAll, beforeAll, describe } from 'vitest'
import { DEBIANS_POSTGRES } from '../support/debians-postgres.ts'
import { takeDatabasesOf } from '../support/postgres-databases.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { unless } from './foreign-program.ts'
import { describeStoreSuites } from './store-suites.ts'

describe.skipIf(DEBIANS_POSTGRES === null)(
  `on PostgreSQL 15${unless(DEBIANS_POSTGRES, 'apt-get install postgresql-15')}`,
  () => {
    let server: PostgresServer

    beforeAll(async () => {
      // For suites that start a server of their own.
      process.env['SHIPBELL_TEST_POSTGRES_BIN'] = DEBIANS_POSTGRES ?? ''
      server = await PostgresServer.start()
      await takeDatabasesOf({ root: server.url() })
    })

    afterAll(async () => await server[Symbol.asyncDispose]())

    describeStoreSuites()
  },
)
