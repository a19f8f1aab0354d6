import { afterAll, beforeAll, describe } from 'vitest'
import { DEBIANS_POSTGRES } from '../support/debians-postgres.ts'
import { takeDatabasesOf } from '../support/postgres-databases.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { unless } from './foreign-program.ts'
import { describeStoreSuites } from './store-suites.ts'

/** Nothing may hang on how somebody else sorts, and writes times and bytes. */
const AS_OTHERS_HAVE_IT = {
  locale: ['--locale=C.utf8', '--locale-provider=icu', '--icu-locale=en-US'],
  settings: [
    'TimeZone=Asia/Kolkata',
    'DateStyle=SQL, DMY',
    'bytea_output=escape',
    'standard_conforming_strings=off',
    'statement_timeout=10s',
    'lock_timeout=5s',
    'idle_session_timeout=2s',
  ],
}

describe.skipIf(DEBIANS_POSTGRES === null)(
  `on PostgreSQL 15${unless(DEBIANS_POSTGRES, 'apt-get install postgresql-15')}`,
  () => {
    let server: PostgresServer

    beforeAll(async () => {
      // For suites that start a server of their own.
      process.env['SHIPBELL_TEST_POSTGRES_BIN'] = DEBIANS_POSTGRES ?? ''
      server = await PostgresServer.start(AS_OTHERS_HAVE_IT)
      await takeDatabasesOf({ root: server.url() })
    })

    afterAll(async () => await server[Symbol.asyncDispose]())

    describeStoreSuites('directly')
  },
)
